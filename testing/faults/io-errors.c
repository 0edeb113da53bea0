/*
 * Preloaded into a service: from its REFILE_EIO_FROM-th read, write, truncation and sync of its database on, REFILE_EIO_COUNT of them fail
 * with EIO. At its end it says on stderr how many there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

static long setting(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

/* Whether a file is the database or its log. */
static int is_database(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  return name && (!strcmp(name, "/refile.sqlite") || !strcmp(name, "/refile.sqlite-wal"));
}

static int fails(int fd) {
  int before = errno;
  int is_ours = is_database(fd);
  errno = before;
  if (!is_ours) return 0;
  long call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  long from = setting("REFILE_EIO_FROM");
  if (from == 0 || call < from || call >= from + setting("REFILE_EIO_COUNT")) return 0;
  errno = EIO;
  return 1;
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define WRAPPED(type, name, parameters, ...) \
  type name parameters { \
    REAL(name); \
    return fails(fd) ? -1 : real(__VA_ARGS__); \
  }

WRAPPED(ssize_t, read, (int fd, void *to, size_t size), fd, to, size)
WRAPPED(ssize_t, write, (int fd, const void *from, size_t size), fd, from, size)
WRAPPED(ssize_t, pread, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
WRAPPED(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)
WRAPPED(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
WRAPPED(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), fd, from, size, at)
WRAPPED(int, ftruncate, (int fd, off_t size), fd, size)
WRAPPED(int, ftruncate64, (int fd, off64_t size), fd, size)
WRAPPED(int, fsync, (int fd), fd)
WRAPPED(int, fdatasync, (int fd), fd)

__attribute__((destructor)) static void say(void) {
  char text[64];
  int length = snprintf(text, sizeof text, "database calls: %ld\n", calls);
  REAL(write);
  if (real(2, text, length) < 0) return;
}
