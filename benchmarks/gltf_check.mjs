// Validate glTF files with the validator of the Khronos Group, and print one JSON object per file.
// Usage: node gltf_check.mjs DIRECTORY_OF_NODE_MODULES FILE...
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(`${modules}/`)("gltf-validator");
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 20 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(JSON.stringify({ file, numErrors, numWarnings, numInfos, numHints, messages, info: report.info }));
}
