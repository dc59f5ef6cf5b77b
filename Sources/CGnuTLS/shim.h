#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/* gnutls_free is a variable that holds a function. */
static inline void uptake_gnutls_free(void *pointer) { gnutls_free(pointer); }
