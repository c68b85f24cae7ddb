/* A folder for the files and sockets of a running test program. Its path is short, so that socket
 * paths fit. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

/* The folder of this process, or of the process that forked it, if that had made one before. It is
 * made at the first call and removed when its maker exits. If the maker was killed, the next maker
 * removes what is left. */
const char *test_folder(void);

#endif
