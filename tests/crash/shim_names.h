/* The second half of shim.c: syncs, and every call that gives a file its name or takes it away. */

static int sync_one(int file) {
  char path[PATHS];
  struct stat state;
  if (!watched(file, path, &state)) return -2;
  pass();
  uint64_t start = next_sequence();
  char is_folder = S_ISDIR(state.st_mode);
  if (control->lying >> is_folder & 1) return 0;
  if (fails(1 << EIO_SYNC)) {
    int reason = errno;
    if (!is_folder) note(start, 'F', state.st_ino, 0, 0, NULL, 0);
    errno = reason;
    return -1;
  }
  note(start, is_folder ? 'D' : 'S', state.st_ino, 0, 0, path, is_folder ? strlen(path) : 0);
  return 0;
}

int fsync(int file) {
  int done = sync_one(file);
  return done == -2 ? (int)syscall(SYS_fsync, file) : done;
}

int fdatasync(int file) {
  int done = sync_one(file);
  return done == -2 ? (int)syscall(SYS_fdatasync, file) : done;
}

int syncfs(int file) {
  char path[PATHS];
  struct stat state;
  if (!watched(file, path, &state)) return syscall(SYS_syncfs, file);
  pass();
  uint64_t start = next_sequence();
  if (control->lying) return 0;
  if (fails(1 << EIO_SYNC)) return -1;
  note(start, 'A', 0, 0, 0, NULL, 0);
  return 0;
}

/* A hint without a promise. */
int sync_file_range(int file, off_t at, off_t length, unsigned int how) {
  char path[PATHS];
  struct stat state;
  return watched(file, path, &state) ? 0 : (int)syscall(SYS_sync_file_range, file, at, length, how);
}

static int opened(int folder, const char *name, int flags, mode_t mode) {
  char path[PATHS];
  if (!(flags & (O_CREAT | O_TRUNC)) || !named(folder, name, path)) return syscall(SYS_openat, folder, name, flags, mode);
  uint64_t before = inode_of(path);
  if (!before && flags & O_CREAT) {
    pass();
    if (fails(1 << EIO_NAME | 1 << FULL_NAME)) return -1;
  }
  int file = syscall(SYS_openat, folder, name, flags & ~O_TRUNC, mode);
  struct stat state;
  if (file < 0 || fstat(file, &state)) return file;
  if (!before || before != state.st_ino) {
    note(next_sequence(), 'B', state.st_ino, 0, 0, NULL, 0);
    if ((flags & O_TMPFILE) != O_TMPFILE) note(next_sequence(), 'N', state.st_ino, before, 0, path, strlen(path));
  } else if (flags & O_TRUNC && state.st_size && ftruncate64(file, 0)) {
    int reason = errno;
    syscall(SYS_close, file);
    errno = reason;
    return -1;
  }
  return file;
}

#define MODE_OF(flags) \
  mode_t mode = 0; \
  if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, int); va_end(more); }

int open(const char *name, int flags, ...) { MODE_OF(flags) return opened(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE_OF(flags) return opened(AT_FDCWD, name, flags, mode); }
int openat(int folder, const char *name, int flags, ...) { MODE_OF(flags) return opened(folder, name, flags, mode); }
int openat64(int folder, const char *name, int flags, ...) { MODE_OF(flags) return opened(folder, name, flags, mode); }
int creat(const char *name, mode_t mode) { return opened(AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, mode); }
int __open_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0); }
int __open64_2(const char *name, int flags) { return opened(AT_FDCWD, name, flags, 0); }

int mkdirat(int folder, const char *name, mode_t mode) {
  char path[PATHS];
  if (!named(folder, name, path) || inode_of(path)) return syscall(SYS_mkdirat, folder, name, mode);
  pass();
  if (fails(1 << EIO_NAME | 1 << FULL_NAME)) return -1;
  int done = syscall(SYS_mkdirat, folder, name, mode);
  if (!done) note(next_sequence(), 'N', inode_of(path), 0, 1, path, strlen(path));
  return done;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

int linkat(int from, const char *name, int to, const char *new_name, int flags) {
  char path[PATHS];
  if (!named(to, new_name, path)) return syscall(SYS_linkat, from, name, to, new_name, flags);
  pass();
  if (fails(1 << EIO_NAME | 1 << FULL_NAME)) return -1;
  int done = syscall(SYS_linkat, from, name, to, new_name, flags);
  if (!done) note(next_sequence(), 'N', inode_of(path), 0, 0, path, strlen(path));
  return done;
}
int link(const char *name, const char *new_name) { return linkat(AT_FDCWD, name, AT_FDCWD, new_name, 0); }

int unlinkat(int folder, const char *name, int flags) {
  char path[PATHS];
  uint64_t inode = !(flags & AT_REMOVEDIR) && named(folder, name, path) ? inode_of(path) : 0;
  if (!inode) return syscall(SYS_unlinkat, folder, name, flags);
  pass();
  if (fails(1 << EIO_NAME)) return -1;
  keep(path, inode);
  int done = syscall(SYS_unlinkat, folder, name, flags);
  if (!done) note(next_sequence(), 'U', inode, 0, 0, path, strlen(path));
  return done;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int renameat2(int from, const char *name, int to, const char *new_name, unsigned int flags) {
  char paths[2 * PATHS];
  struct stat state;
  if (!named(from, name, paths) || lstat(paths, &state)) return syscall(SYS_renameat2, from, name, to, new_name, flags);
  size_t length = strlen(paths) + 1;
  if (!named(to, new_name, paths + length)) return syscall(SYS_renameat2, from, name, to, new_name, flags);
  pass();
  if (fails(1 << EIO_NAME | 1 << FULL_NAME)) return -1;
  uint64_t replaced = inode_of(paths + length);
  if (replaced) keep(paths + length, replaced);
  int done = syscall(SYS_renameat2, from, name, to, new_name, flags);
  if (!done)
    note(next_sequence(), 'R', state.st_ino, replaced, S_ISDIR(state.st_mode), paths,
         length + strlen(paths + length));
  return done;
}
int rename(const char *name, const char *new_name) { return renameat2(AT_FDCWD, name, AT_FDCWD, new_name, 0); }
int renameat(int from, const char *name, int to, const char *new_name) {
  return renameat2(from, name, to, new_name, 0);
}
