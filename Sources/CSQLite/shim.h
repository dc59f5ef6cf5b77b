#include <sqlite3.h>

// Of the C library, which shows it only to who defines _GNU_SOURCE: for files that stand beside a database.
int renameat2(int old_directory, const char *old_name, int new_directory, const char *new_name, unsigned int flags);
static const unsigned int uptake_rename_noreplace = 1;

// Gives back what was freed; <malloc.h> is not among what Swift sees of the C library.
int malloc_trim(unsigned long pad);
// Says how much of it is kept, and from which size on memory comes from the system itself.
int mallopt(int parameter, int value);
static const int uptake_mallopt_trim_threshold = -1, uptake_mallopt_top_pad = -2, uptake_mallopt_mmap_threshold = -3;
