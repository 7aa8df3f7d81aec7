/* A disk that fails on purpose, below a process: preloaded, it stands between the program and libc for every file below
 * one folder.
 *
 * It makes calls fail (EIO, ENOSPC, short and torn writes) with a seeded probability while faults are on, and it keeps
 * a log of everything that no sync has made durable: the former content of what is overwritten, and every change of a
 * name. After the death of the process, power_cut.py takes such changes back, as a loss of power would. A sync is
 * therefore a line in the log and nothing more.
 *
 * The harness steers it through a block of shared memory, `struct control`; control.py has the same layout.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { EIO_WRITE, FULL_WRITE, SHORT_WRITE, TORN_WRITE, EIO_SYNC, EIO_NAME, FULL_NAME, EIO_READ, EIO_TRUNCATE, KINDS };

struct control {
  uint64_t sequence, calls, die_at, chance, faults_on, one_in, kinds, lying;
  uint64_t counts[16];
  char root[512], logs[512];
};

struct record {
  uint64_t sequence, inode, offset, size;
  uint32_t kind, length;
};

#define SECTOR 512ull
#define PATHS 4096
static struct control *control;
static int log_file = -1;
static pid_t log_owner;

/* The real calls. Each is found once; a race finds the same one twice. */
#define REAL(name) ({ static __typeof__(&name) found; if (!found) found = dlsym(RTLD_NEXT, #name); found; })

__attribute__((constructor)) static void begin(void) {
  const char *place = getenv("CRASH_CONTROL");
  int file = place ? syscall(SYS_openat, AT_FDCWD, place, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (mapped != MAP_FAILED) control = mapped;
}

static uint64_t next_sequence(void) { return __atomic_add_fetch(&control->sequence, 1, __ATOMIC_SEQ_CST); }

/* One write per record, to a log of this process alone: a kill leaves whole records or none that matters. */
static void note(uint64_t sequence, char kind, uint64_t inode, uint64_t offset, uint64_t size, const void *data,
                 size_t length) {
  if (log_owner != getpid()) {
    char place[PATHS];
    snprintf(place, sizeof place, "%s/%d", control->logs, (int)getpid());
    int file = syscall(SYS_openat, AT_FDCWD, place, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_file = fcntl(file, F_DUPFD_CLOEXEC, 800);
    if (log_file < 0) log_file = file; else syscall(SYS_close, file);
    log_owner = getpid();
  }
  struct record record = {sequence, inode, offset, size, (uint32_t)kind, (uint32_t)length};
  struct iovec parts[] = {{&record, sizeof record}, {(void *)data, length}};
  if (syscall(SYS_writev, log_file, parts, length ? 2 : 1) < 0) abort();
}

/* Counts a call that changes something, and ends everything at the one that was chosen. */
static void pass(void) {
  uint64_t call = __atomic_add_fetch(&control->calls, 1, __ATOMIC_SEQ_CST);
  if (control->die_at && call == control->die_at) kill(0, SIGKILL);
}

static uint64_t draw(void) {
  uint64_t z = __atomic_add_fetch(&control->chance, 0x9e3779b97f4a7c15ull, __ATOMIC_SEQ_CST);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/* Which of these kinds of fault strikes now; KINDS for none. */
static int strikes(uint64_t possible) {
  possible &= control->kinds;
  if (!control->faults_on || !possible || draw() % control->one_in) return KINDS;
  int chosen;
  do chosen = draw() % KINDS; while (!(possible >> chosen & 1));
  __atomic_add_fetch(&control->counts[chosen], 1, __ATOMIC_SEQ_CST);
  return chosen;
}

static int fails(uint64_t possible) {
  int struck = strikes(possible);
  if (struck == KINDS) return 0;
  errno = struck == FULL_WRITE || struck == FULL_NAME ? ENOSPC : EIO;
  return 1;
}

static int is_below(const char *path) {
  size_t length = strlen(control->root);
  return !strncmp(path, control->root, length) && (path[length] == '/' || !path[length]);
}

static int is_active(void) { return control && control->root[0]; }

/* The path of an open file below the folder, with its state; 0 for any other. */
static int watched(int file, char *path, struct stat *state) {
  if (!is_active() || fstat(file, state) || !(S_ISREG(state->st_mode) || S_ISDIR(state->st_mode))) return 0;
  char place[64];
  snprintf(place, sizeof place, "/proc/self/fd/%d", file);
  ssize_t length = readlink(place, path, PATHS - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

static int is_file(int file, struct stat *state) {
  char path[PATHS];
  int saved = errno, found = watched(file, path, state) && S_ISREG(state->st_mode);
  errno = saved;
  return found;
}

/* An absolute path below the folder for a name; 0 for any other. */
static int named(int folder, const char *name, char *path) {
  if (!is_active()) return 0;
  size_t length = 0;
  if (name[0] != '/') {
    char place[64] = "/proc/self/cwd";
    if (folder != AT_FDCWD) snprintf(place, sizeof place, "/proc/self/fd/%d", folder);
    ssize_t found = readlink(place, path, PATHS / 2);
    if (found <= 0) return 0;
    length = found;
    path[length++] = '/';
  }
  snprintf(path + length, PATHS - length, "%s", name);
  return is_below(path);
}

static uint64_t inode_of(const char *path) {
  struct stat state;
  int saved = errno;
  uint64_t inode = lstat(path, &state) ? 0 : state.st_ino;
  errno = saved;
  return inode;
}

/* A further name for what is about to lose its own, outside the folder: a power cut may bring it back. */
static void keep(const char *path, uint64_t inode) {
  char place[PATHS];
  int saved = errno;
  snprintf(place, sizeof place, "%s/kept-%llu", control->logs, (unsigned long long)inode);
  syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, place, 0);
  errno = saved;
}

/* The former content of every sector that the coming change touches. */
static void note_change(int file, const struct stat *state, uint64_t from, uint64_t to) {
  uint64_t first = from / SECTOR * SECTOR, last = (to + SECTOR - 1) / SECTOR * SECTOR;
  if (last > (uint64_t)state->st_size) last = (uint64_t)state->st_size > first ? (uint64_t)state->st_size : first;
  int saved = errno;
  char *former = malloc(last - first + 1);
  ssize_t length = last == first ? 0 : syscall(SYS_pread64, file, former, last - first, first);
  if (length < 0) { /* open for writing alone */
    char place[64];
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    int again = syscall(SYS_openat, AT_FDCWD, place, O_RDONLY | O_CLOEXEC);
    length = syscall(SYS_pread64, again, former, last - first, first);
    syscall(SYS_close, again);
  }
  /* The range is in the offset and, with the bytes beyond the old end, in the size of the record that follows. */
  struct { uint64_t to; } more = {to};
  char *payload = malloc(sizeof more + (length > 0 ? length : 0));
  memcpy(payload, &more, sizeof more);
  if (length > 0) memcpy(payload + sizeof more, former, length);
  note(next_sequence(), 'W', state->st_ino, first, state->st_size, payload, sizeof more + (length > 0 ? length : 0));
  free(payload);
  free(former);
  errno = saved;
}

/* How many of the bytes to write; -1 for none, with errno. A torn write comes back as its negative length. */
static ssize_t allowed(size_t length) {
  int struck = strikes(1 << EIO_WRITE | 1 << FULL_WRITE | 1 << SHORT_WRITE | 1 << TORN_WRITE);
  if (struck == KINDS) return length;
  errno = struck == FULL_WRITE ? ENOSPC : EIO;
  if (length < 2 || struck == EIO_WRITE || struck == FULL_WRITE) return -1;
  ssize_t part = 1 + draw() % (length - 1);
  return struck == SHORT_WRITE ? part : -part - 1;
}

static ssize_t write_at(int file, const struct stat *state, const void *data, size_t length, off_t at) {
  pass();
  ssize_t part = allowed(length);
  if (part == -1) return -1;
  int torn = part < 0, reason = errno;
  size_t count = torn ? (size_t)(-part - 1) : (size_t)part;
  note_change(file, state, at, at + count);
  ssize_t done = syscall(SYS_pwrite64, file, data, count, at);
  if (torn) { errno = reason; return -1; }
  return done;
}

ssize_t pwrite64(int file, const void *data, size_t length, off_t at) {
  struct stat state;
  if (!is_file(file, &state)) return syscall(SYS_pwrite64, file, data, length, at);
  return write_at(file, &state, data, length, at);
}
ssize_t pwrite(int file, const void *data, size_t length, off_t at) { return pwrite64(file, data, length, at); }

ssize_t write(int file, const void *data, size_t length) {
  struct stat state;
  if (!is_file(file, &state)) return syscall(SYS_write, file, data, length);
  off_t at = fcntl(file, F_GETFL) & O_APPEND ? state.st_size : lseek(file, 0, SEEK_CUR);
  ssize_t done = write_at(file, &state, data, length, at);
  if (done > 0) lseek(file, at + done, SEEK_SET);
  return done;
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t at) {
  struct stat state;
  if (!is_file(file, &state)) return REAL(pwritev64)(file, parts, count, at);
  ssize_t total = 0;
  for (int part = 0; part < count; part++) {
    if (fstat(file, &state)) return -1;
    ssize_t done = write_at(file, &state, parts[part].iov_base, parts[part].iov_len, at + total);
    if (done < 0) return total ? total : -1;
    total += done;
    if ((size_t)done < parts[part].iov_len) break;
  }
  return total;
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) { return pwritev64(file, parts, count, at); }

ssize_t writev(int file, const struct iovec *parts, int count) {
  struct stat state;
  if (!is_file(file, &state)) return syscall(SYS_writev, file, parts, count);
  ssize_t total = 0;
  for (int part = 0; part < count; part++) {
    ssize_t done = write(file, parts[part].iov_base, parts[part].iov_len);
    if (done < 0) return total ? total : -1;
    total += done;
    if ((size_t)done < parts[part].iov_len) break;
  }
  return total;
}

ssize_t pread64(int file, void *data, size_t length, off_t at) {
  struct stat state;
  if (is_active() && control->faults_on && is_file(file, &state) && fails(1 << EIO_READ)) return -1;
  return syscall(SYS_pread64, file, data, length, at);
}
ssize_t pread(int file, void *data, size_t length, off_t at) { return pread64(file, data, length, at); }

int ftruncate64(int file, off_t size) {
  struct stat state;
  if (is_file(file, &state)) {
    pass();
    if (fails(1 << EIO_TRUNCATE)) return -1;
    uint64_t from = size < state.st_size ? size : state.st_size;
    note_change(file, &state, from, size < state.st_size ? state.st_size : size);
  }
  return syscall(SYS_ftruncate, file, size);
}
int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int truncate(const char *name, off_t size) {
  int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) return -1;
  int done = ftruncate64(file, size), reason = errno;
  close(file);
  errno = reason;
  return done;
}

int posix_fallocate(int file, off_t at, off_t length) {
  struct stat state;
  if (is_file(file, &state)) {
    pass();
    if (fails(1 << FULL_WRITE | 1 << EIO_WRITE)) return errno;
    if (at + length > state.st_size) note_change(file, &state, state.st_size, at + length);
  }
  return REAL(posix_fallocate)(file, at, length);
}
int posix_fallocate64(int file, off_t at, off_t length) { return posix_fallocate(file, at, length); }

#include "shim_names.h"
