/* A folder for what a test program leaves on disk while it runs: files, and sockets, whose paths
 * are short in it. Makes no names in it. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

/* The folder of this process, or of the one that forked it if that had one before: made at the
 * first call and removed when its maker exits. What a maker that was killed has left, the next one
 * removes. */
const char *test_folder(void);

#endif
