// Preloaded into a child by the crash tests. FAULT is "<call>:<n>:<what>": the n-th pwrite or fdatasync of a ledger segment is
// torn (half is written, then the process is killed), kills the process before or after it, or fails with EIO.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int is_segment(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 6 && memcmp(path + length - 6, ".jsonl", 6) == 0;
}

static const char *fault_of(const char *call, int fd) {
  char wanted[32];
  int n;
  static __thread char what[32];
  const char *fault = getenv("FAULT");
  if (fault == NULL || sscanf(fault, "%31[^:]:%d:%31s", wanted, &n, what) != 3) return NULL;
  if (strcmp(wanted, call) != 0 || !is_segment(fd)) return NULL;
  return atomic_fetch_add(&calls, 1) + 1 == n ? what : NULL;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  pause();
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  const char *what = fault_of("pwrite", fd);
  if (what != NULL && strcmp(what, "tear") == 0) {
    real(fd, bytes, count / 2, offset);
    die();
  }
  if (what != NULL && strcmp(what, "error") == 0) {
    real(fd, bytes, count / 2, offset);
    errno = EIO;
    return -1;
  }
  return real(fd, bytes, count, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  const char *what = fault_of("fdatasync", fd);
  if (what != NULL && strcmp(what, "before") == 0) die();
  if (what != NULL && strcmp(what, "error") == 0) {
    errno = EIO;
    return -1;
  }
  int result = real(fd);
  if (what != NULL && strcmp(what, "after") == 0) die();
  return result;
}
