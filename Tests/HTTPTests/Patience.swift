/// How much longer work may take than in a usual run: under a sanitizer it takes many times as long.
#if THREAD_SANITIZER || ADDRESS_SANITIZER
  let patience = 10
#else
  let patience = 1
#endif
