/* A program that tries what no converter has a reason for, as one that a hostile file has taken over would. Its arguments say
   what, such as `open:<path>`; it prints each with 0 where it succeeded, and with the error where not. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failed(int result) { return result < 0 ? errno : 0; }

static int attempt(const char *what, const char *path) {
  if (!strcmp(what, "open")) return failed(open(path, O_RDONLY));
  if (!strcmp(what, "write")) return failed(open(path, O_WRONLY | O_CREAT, 0600));
  if (!strcmp(what, "list")) return opendir(path) ? 0 : errno;
  if (!strcmp(what, "link")) return failed(symlink("/etc/hostname", path));
  if (!strcmp(what, "remove")) return failed(unlink(path));
  if (!strcmp(what, "rename")) return failed(rename(path, "taken"));
  if (!strcmp(what, "truncate")) return failed(truncate(path, 0));
  if (!strcmp(what, "chmod")) return failed(chmod(path, 0777));
  if (!strcmp(what, "mode")) return failed(fchmod(open(path, O_RDONLY), 0777));
  if (!strcmp(what, "time")) return failed(futimens(open(path, O_RDONLY), 0));
  if (!strcmp(what, "times")) return failed(utimensat(AT_FDCWD, path, 0, 0));
  if (!strcmp(what, "limit")) return failed(prlimit(atoi(path), RLIMIT_NOFILE, 0, &(struct rlimit){0}));
  if (!strcmp(what, "priority")) return failed(setpriority(PRIO_PROCESS, atoi(path), 19));
  if (!strcmp(what, "watch")) return failed(inotify_init1(0));
  if (!strcmp(what, "kill")) return failed(kill(atoi(path), 0));
  if (!strcmp(what, "socket")) return failed(socket(AF_INET, SOCK_STREAM, 0));
  if (!strcmp(what, "datagram")) return failed(socket(AF_INET, SOCK_DGRAM, 0));
  if (!strcmp(what, "pair")) {
    int ends[2];
    return failed(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
  }
  if (!strcmp(what, "ring")) {
    char parameters[120] = {0};
    return failed(syscall(425, 8, parameters));
  }
  if (!strcmp(what, "session")) return failed(setsid());
  if (!strcmp(what, "run")) {
    pid_t child = fork();
    if (child == 0) {
      execl(path, path, (char *)0);
      _exit(errno);
    }
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  }
  return -1;
}

/* Each process starts the next and ends, in a session of its own if it can, so that no parent can be asked; and each leaves one behind. */
static void multiply(void) {
  struct timespec pause = {0, 2000000};
  for (;;) {
    setsid();
    if (fork() == 0) for (;;) sleep(1);
    if (fork() != 0) _exit(0);
    nanosleep(&pause, 0);
  }
}

static void grow(void) {
  struct timespec pause = {0, 2000000};
  for (;;) {
    void *block = malloc(1 << 24);
    if (block) memset(block, 1, 1 << 24);
    nanosleep(&pause, 0);
  }
}

int main(int count, char **words) {
  for (int at = 1; at < count; at++) {
    char *word = strdup(words[at]);
    char *path = strchr(word, ':');
    if (path) *path++ = 0;
    if (!strcmp(word, "nap")) sleep(60);
    if (!strcmp(word, "multiply")) multiply();
    if (!strcmp(word, "grow")) grow();
    printf("%s %d\n", words[at], attempt(word, path));
  }
  return 0;
}
