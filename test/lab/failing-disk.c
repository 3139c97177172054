// Preloaded into a daemon: as long as the file that FAULT_FILE names is there, what is written to the ledger's segments fails with the
// errno that it holds. Half of a write arrives before the error, as on a disk that fills up.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_segment(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  return length > 6 && memcmp(path + length - 6, ".jsonl", 6) == 0;
}

static int fault(int fd) {
  const char *name = getenv("FAULT_FILE");
  if (name == NULL || !is_segment(fd)) return 0;
  int file = open(name, O_RDONLY);
  if (file < 0) return 0;
  char text[16] = {0};
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  return length > 0 ? atoi(text) : 0;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  int error = fault(fd);
  if (error == 0) return real(fd, bytes, count, offset);
  if (error != EROFS) real(fd, bytes, count / 2, offset);
  errno = error;
  return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return pwrite64(fd, bytes, count, offset);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  int error = fault(fd);
  if (error == 0) return real(fd);
  errno = error;
  return -1;
}
