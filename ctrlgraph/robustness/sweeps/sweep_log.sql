-- The column `reference` is empty. It is kept so that stores of earlier versions can be read.
CREATE TABLE sweeps (
    id TEXT PRIMARY KEY,
    target TEXT NOT NULL,
    axes TEXT NOT NULL,
    trials INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    perturbations TEXT NOT NULL,
    command TEXT NOT NULL,
    versions TEXT NOT NULL,
    hashes TEXT NOT NULL,
    started TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    reference TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE trials (
    sweep TEXT NOT NULL REFERENCES sweeps(id),
    target TEXT NOT NULL,
    point TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    followed INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    phase INTEGER,
    script TEXT,
    line INTEGER,
    simulated_s REAL NOT NULL,
    PRIMARY KEY (sweep, target, point, "index")
) STRICT;
