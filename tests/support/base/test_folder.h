/* A folder for the files and sockets of a running test program. Its path is short, because the
 * paths of sockets must be short. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

/* Returns the folder of this process. The first call makes it, and processes that are forked later
 * use the same folder. When the process that made the folder exits, the folder is removed. If that
 * process was killed, the next process that makes a folder removes the old one. */
const char *test_folder(void);

#endif
