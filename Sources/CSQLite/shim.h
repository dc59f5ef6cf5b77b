#include <sqlite3.h>

// Of the C library, which shows it only to who defines _GNU_SOURCE: for files that stand beside a database.
int renameat2(int old_directory, const char *old_name, int new_directory, const char *new_name, unsigned int flags);
static const unsigned int uptake_rename_noreplace = 1;

// Gives back what was freed; <malloc.h> is not among what Swift sees of the C library.
int malloc_trim(unsigned long pad);
