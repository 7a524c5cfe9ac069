/* A disk that tells when it is written and synced, can be full, and can end the process at any of its operations.
 *
 * Preloaded before libc, for the files below the folder DISK_FOLDER:
 *   DISK_LOG    a line is appended to this file after every successful "write NAME" and "sync NAME"
 *   DISK_FULL   while this file exists, half of a write goes in, then there is no space (ENOSPC)
 *   DISK_PLAIN  if set, a file cannot get a second name (EPERM), as on exFAT
 *   disk_crash_after(n)  lets n operations through, then kills the process before the next one; an operation is a sync,
 *                        a cut, a removal, or any number of writes to one file
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long operations_left = -1;

void disk_crash_after(long operations) { operations_left = operations; }

/* The name of an open file below the folder, else NULL. */
static const char *name_of(int file) {
    static __thread char path[4096];
    char link[64];
    const char *folder = getenv("DISK_FOLDER");
    if (folder == NULL) return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return NULL;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) ? NULL : strrchr(path, '/') + 1;
}

static void crash_if_it_is_time(const char *what, const char *name) {
    static char last[4200];
    char this[4200];
    if (operations_left < 0) return;
    snprintf(this, sizeof this, "%s %s", what, name);
    if (strcmp(what, "write") == 0 && strcmp(this, last) == 0) return;
    strcpy(last, this);
    if (operations_left-- == 0) kill(getpid(), SIGKILL);
}

static void tell(const char *what, const char *name) {
    const char *log = getenv("DISK_LOG");
    if (log == NULL) return;
    char line[4200];
    int length = snprintf(line, sizeof line, "%s %s\n", what, name);
    int before = errno;
    int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0) {
        syscall(SYS_write, file, line, length);
        close(file);
    }
    errno = before;
}

static int is_full(void) {
    const char *control = getenv("DISK_FULL");
    return control != NULL && access(control, F_OK) == 0;
}

static ssize_t put(int file, const void *data, size_t size, off_t offset, int at_offset) {
    static __thread int half_was_written;
    const char *name = name_of(file);
    if (name != NULL) {
        crash_if_it_is_time("write", name);
        if (is_full()) {
            half_was_written = size > 1 && !half_was_written;
            if (!half_was_written) {
                errno = ENOSPC;
                return -1;
            }
            size /= 2;
        }
    }
    ssize_t written = at_offset ? syscall(SYS_pwrite64, file, data, size, offset) : syscall(SYS_write, file, data, size);
    if (name != NULL && written >= 0) tell("write", name);
    return written;
}

ssize_t write(int file, const void *data, size_t size) { return put(file, data, size, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return put(file, data, size, offset, 1); }
ssize_t pwrite64(int file, const void *data, size_t size, off_t offset) { return put(file, data, size, offset, 1); }

static int sync_with(long call, int file) {
    const char *name = name_of(file);
    if (name != NULL) crash_if_it_is_time("sync", name);
    int result = (int)syscall(call, file);
    if (name != NULL && result == 0) tell("sync", name);
    return result;
}

int fsync(int file) { return sync_with(SYS_fsync, file); }
int fdatasync(int file) { return sync_with(SYS_fdatasync, file); }

static int cut(int file, off_t length) {
    const char *name = name_of(file);
    if (name != NULL) crash_if_it_is_time("cut", name);
    return (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off_t length) { return cut(file, length); }

int unlink(const char *path) {
    const char *folder = getenv("DISK_FOLDER");
    if (folder != NULL && strncmp(path, folder, strlen(folder)) == 0) crash_if_it_is_time("remove", path);
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int link(const char *path, const char *other) {
    const char *folder = getenv("DISK_FOLDER");
    if (folder != NULL && getenv("DISK_PLAIN") != NULL && strncmp(other, folder, strlen(folder)) == 0) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, 0);
}
