# Crawls on hands and feet with the knees off the ground, hand and opposite foot together.
SCRIPTS bear_crawl_step.t;
BEGINSCRIPT bear_crawl(void)
  PHASE 0
    > bear_crawl_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > bear_crawl_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
