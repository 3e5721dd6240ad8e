# Crawls on hands and knees, hand and opposite knee together.
SCRIPTS crawl_step.t;
BEGINSCRIPT crawl(void)
  PHASE 0
    > crawl_step();
    TRANSITION to(1).after(complete);
  ENDPHASE
  PHASE 1
    > crawl_step().mirrored;
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
