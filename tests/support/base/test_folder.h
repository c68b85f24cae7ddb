/* A folder for the files and sockets of a running test program. Its path is short, because the
 * paths of sockets must be short. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

/* Returns the folder of this process. The first call makes the folder; child processes that are
 * forked later use the same folder. The folder is removed when the process that made it exits. If
 * that process was killed, the next process that makes a folder removes it. */
const char *test_folder(void);

#endif
