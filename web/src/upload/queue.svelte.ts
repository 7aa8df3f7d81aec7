// The upload queue: a few files at a time. The state shown is published a few times per second.
import type { Item } from '../files/item';
import { canReplace } from './conflicts';
import { uploadFile, type Outcome, type UploadContext } from './upload_file';
import { ProgressTracker, fraction, type Amount } from './progress';
import { LOST, problemOf } from './problems';
import { Task, locationOf, type Decision, type Wanted } from './task.svelte';

/** Stores the tasks, so they survive a reload. */
export interface TaskStore {
  save(tasks: readonly Task[]): void;
  forget(tasks: readonly Task[]): void;
  setPaused(isPaused: boolean, tasks: readonly Task[]): void;
  /** Whether all of it is stored, contents included. */
  readonly hasAll: boolean;
  close(): Promise<void>;
}

export interface Summary {
  /** Without cancelled ones. */
  files: number;
  finished: number;
  /** Finished files that were not sent: unchanged or skipped. */
  skipped: number;
  bytes: number;
  sentBytes: number;
  running: number;
  waiting: number;
  conflicts: number;
  failed: number;
  /** 0 to 1. */
  fraction: number;
  bytesPerSecond: number;
  secondsLeft: number | null;
  /** Whether everything that is left is stored, so it could continue without the page. */
  isStored: boolean;
}

export interface Hooks {
  onDone?: (item: Item) => void;
  onIdle?: (summary: Summary) => void;
  /** Whether the error means that the session has ended, which is not the file's fault. */
  isSessionOver?: (problem: unknown) => boolean;
}

export const CONCURRENCY = 4;
// How many finished files stay listed; the others are only counted.
const LISTED_FINISHED = 200;
const PUBLISH_INTERVAL_MS = 200;
const PAUSED = new DOMException('Paused', 'AbortError');
const CANCELLED = new DOMException('Cancelled', 'AbortError');

const EMPTY: Summary = {
  files: 0,
  finished: 0,
  skipped: 0,
  bytes: 0,
  sentBytes: 0,
  running: 0,
  waiting: 0,
  conflicts: 0,
  failed: 0,
  fraction: 0,
  bytesPerSecond: 0,
  secondsLeft: null,
  isStored: false,
};

export class Queue {
  /** The listed tasks: conflicts, running, failed, waiting, and the latest finished ones. */
  rows = $state.raw<readonly Task[]>([]);
  summary = $state.raw<Summary>(EMPTY);
  isPaused = $state(false);
  isEnded = false;
  /** The file whose name conflict is shown. */
  conflict = $state.raw<Task | null>(null);

  #context: UploadContext;
  #hooks: Hooks;
  #store: TaskStore | null = null;
  #waiting: Task[] = [];
  #running = new Map<Task, AbortController>();
  #conflicts: Task[] = [];
  #failed: Task[] = [];
  #finished: Task[] = [];
  #total: Amount = { files: 0, bytes: 0 };
  #done: Amount = { files: 0, bytes: 0 };
  #skipped = 0;
  #forAll: Decision | null = null;
  #progress = new ProgressTracker();
  #publishTimer: ReturnType<typeof setTimeout> | undefined;
  #prefix: string;
  #last = 0;
  #idleWaiters = new Set<() => void>();
  #isSuspended = false;
  /** Whether anything was uploaded since the queue was last idle. */
  #hasRun = false;

  constructor(context: UploadContext, hooks: Hooks = {}, prefix = '') {
    this.#context = { ...context, onStarted: (task) => this.#store?.save([task]) };
    this.#hooks = hooks;
    this.#prefix = prefix;
  }

  storeIn(store: TaskStore): void {
    this.#store = store;
    store.save(this.#unfinished());
  }

  /** Cancel all uploads and store nothing. */
  async end(): Promise<void> {
    const store = this.#store;
    this.isEnded = true;
    this.#store = null;
    this.suspend();
    this.cancelAll();
    await store?.close();
  }

  /** Whether closing the page now would interrupt an upload. */
  get isBusy(): boolean {
    return this.#running.size > 0 || (this.#waiting.length > 0 && !this.isPaused);
  }

  get isEmpty(): boolean {
    return !this.#running.size && !this.#waiting.length && !this.#conflicts.length;
  }

  add(wanted: readonly Wanted[]): void {
    if (this.isEmpty && !this.#failed.length) this.#reset();
    const lost = new Map(
      this.#failed.filter((task) => !task.file && !task.isFolder).map((task) => [task.location, task]),
    );
    const found = new Set<Task>();
    const added: Task[] = [];
    for (const item of wanted) {
      const known = lost.get(locationOf(item));
      if (known && item.file) {
        // A file that was lost in a reload is added again: continue its upload.
        known.file = item.file;
        known.problem = null;
        known.state = 'waiting';
        found.add(known);
      } else {
        const task = new Task(`${this.#prefix}${String(++this.#last).padStart(8, '0')}`, item);
        this.#count(task, 1);
        added.push(task);
      }
    }
    if (found.size) this.#failed = this.#failed.filter((task) => !found.has(task));
    this.#enqueue([...found, ...added]);
  }

  /** Add the tasks that were stored before a reload. */
  restore(tasks: readonly Task[]): void {
    for (const task of tasks) {
      this.#count(task, 1);
      task.isRestored = true;
    }
    const [lost, complete] = [tasks.filter(isLost), tasks.filter((task) => !isLost(task))];
    for (const task of lost) {
      task.problem = LOST;
      task.state = 'failed';
    }
    const [failed, waiting] = [complete.filter((task) => task.problem), complete.filter((task) => !task.problem)];
    for (const task of failed) task.state = 'failed';
    this.#failed.push(...lost, ...failed);
    this.#enqueue(waiting);
  }

  pause(): void {
    this.isPaused = true;
    this.#stopRunning();
    this.#store?.setPaused(true, this.#unfinished());
    this.#publishSoon();
  }

  resume(): void {
    this.isPaused = false;
    this.#store?.setPaused(false, this.#unfinished());
    this.#progress.reset();
    this.#pump();
  }

  cancel(task: Task): void {
    const running = this.#running.get(task);
    if (running) running.abort(CANCELLED);
    else this.#drop(new Set([task]));
  }

  cancelAll(): void {
    for (const stop of this.#running.values()) stop.abort(CANCELLED);
    this.#drop(new Set([...this.#waiting, ...this.#conflicts, ...this.#failed]));
    this.isPaused = false;
    this.#store?.setPaused(false, []);
  }

  retry(tasks: readonly Task[] = this.#failed): void {
    const again = new Set(tasks.filter((task) => task.state === 'failed' && (task.file || task.isFolder)));
    this.#failed = this.#failed.filter((task) => !again.has(task));
    for (const task of again) {
      task.problem = null;
      task.state = 'waiting';
    }
    this.#enqueue([...again]);
  }

  /** Resolve the conflict of the file that is shown, or of all such files of this run. */
  decide(decision: Decision, forAll: boolean): void {
    const current = this.#conflicts[0];
    if (!current) return;
    if (forAll) this.#forAll = decision;
    const resolved = forAll ? this.#conflicts.filter((task) => applies(decision, task)) : [current];
    const resolvedSet = new Set(resolved);
    this.#conflicts = this.#conflicts.filter((task) => !resolvedSet.has(task));
    for (const task of resolved) task.decision = decision;
    if (decision === 'skip') for (const task of resolved) this.#finish(task, 'skipped');
    else {
      for (const task of resolved) task.state = 'waiting';
      this.#waiting = [...resolved, ...this.#waiting];
      this.#store?.save(resolved);
    }
    this.#pump();
    // Publish immediately: a second click must not resolve the next conflict.
    this.#publish();
    this.#notifyIfIdle();
  }

  /** Remove finished and failed tasks. */
  clear(): void {
    this.#drop(new Set(this.#failed));
    if (this.isEmpty) this.#reset();
    this.#publish();
  }

  /** Stop without losing anything, because the user has logged out. */
  suspend(): void {
    this.#isSuspended = true;
    this.#stopRunning();
    this.#publishSoon();
  }

  resumeSession(): void {
    this.#isSuspended = false;
    this.#pump();
  }

  idle(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : new Promise((resolve) => this.#idleWaiters.add(resolve));
  }

  #reset(): void {
    this.#finished = [];
    this.#total = { files: 0, bytes: 0 };
    this.#done = { files: 0, bytes: 0 };
    this.#skipped = 0;
    this.#progress.reset();
  }

  #enqueue(tasks: Task[]): void {
    this.#waiting = this.#waiting.concat(tasks);
    this.#store?.save(tasks);
    this.#pump();
  }

  #unfinished(): Task[] {
    return [...this.#running.keys(), ...this.#conflicts, ...this.#failed, ...this.#waiting];
  }

  #pump(): void {
    while (!this.isPaused && !this.#isSuspended && this.#running.size < CONCURRENCY) {
      const task = this.#waiting.shift();
      if (!task) break;
      const stop = new AbortController();
      this.#running.set(task, stop);
      this.#hasRun = true;
      void this.#run(task, stop.signal);
    }
    this.#publishSoon();
  }

  async #run(task: Task, signal: AbortSignal): Promise<void> {
    let outcome: Outcome | null = null;
    try {
      outcome = await uploadFile(task, this.#context, signal);
    } catch (problem) {
      this.#running.delete(task);
      if (signal.reason === CANCELLED) this.#drop(new Set([task]));
      else if (signal.aborted) this.#requeue(task);
      else if (this.#hooks.isSessionOver?.(problem)) {
        this.#requeue(task);
        this.suspend();
      } else this.#fail(task, problem);
    }
    if (outcome) this.#handle(task, outcome);
    this.#pump();
    this.#notifyIfIdle();
  }

  #handle(task: Task, outcome: Outcome): void {
    this.#running.delete(task);
    if (outcome.is !== 'conflict') {
      if (outcome.is === 'done') task.item = outcome.item;
      this.#finish(task, task.isRestored ? 'done' : outcome.is);
      if (outcome.is === 'done' && outcome.item) this.#hooks.onDone?.(outcome.item);
      return;
    }
    task.existing = outcome.existing;
    if (this.#forAll && applies(this.#forAll, task)) {
      task.decision = this.#forAll;
      if (task.decision === 'skip') return this.#finish(task, 'skipped');
      return this.#requeue(task);
    }
    task.state = 'conflict';
    this.#conflicts.push(task);
  }

  #requeue(task: Task): void {
    task.state = 'waiting';
    task.sent = 0;
    this.#waiting.unshift(task);
  }

  #finish(task: Task, state: 'done' | 'unchanged' | 'skipped'): void {
    task.state = state;
    task.file = null;
    this.#done = { files: this.#done.files + 1, bytes: this.#done.bytes + task.size };
    if (state !== 'done') this.#skipped += 1;
    this.#finished.push(task);
    if (this.#finished.length > 2 * LISTED_FINISHED) this.#finished = this.#finished.slice(-LISTED_FINISHED);
    this.#store?.forget([task]);
  }

  #fail(task: Task, problem: unknown): void {
    task.problem = problemOf(problem);
    task.state = 'failed';
    this.#failed.push(task);
    this.#store?.save([task]);
  }

  #drop(tasks: ReadonlySet<Task>): void {
    const isKept = (task: Task): boolean => !tasks.has(task);
    for (const task of tasks) {
      this.#count(task, -1);
      task.file = null;
      // If this fails, the server cancels the upload after a week.
      if (task.upload) void this.#context.server.cancelUpload(task.upload).catch(() => {});
    }
    this.#waiting = this.#waiting.filter(isKept);
    this.#conflicts = this.#conflicts.filter(isKept);
    this.#failed = this.#failed.filter(isKept);
    this.#store?.forget([...tasks]);
    this.#publishSoon();
    this.#notifyIfIdle();
  }

  #count(task: Task, sign: 1 | -1): void {
    this.#total = { files: this.#total.files + sign, bytes: this.#total.bytes + sign * task.size };
  }

  #stopRunning(): void {
    for (const stop of this.#running.values()) stop.abort(PAUSED);
  }

  #notifyIfIdle(): void {
    if (!this.isEmpty) return;
    this.#forAll = null;
    this.#context.folders.forget();
    this.#publish();
    if (this.#hasRun) this.#hooks.onIdle?.(this.summary);
    this.#hasRun = false;
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters.clear();
  }

  #publishSoon(): void {
    this.#publishTimer ??= setTimeout(() => this.#publish(), PUBLISH_INTERVAL_MS);
  }

  #publish(): void {
    clearTimeout(this.#publishTimer);
    this.#publishTimer = undefined;
    const running = [...this.#running.keys()];
    const sent = {
      files: this.#done.files,
      bytes: this.#done.bytes + running.reduce((sum, task) => sum + task.sent, 0),
    };
    // The progress bar leaves out failed files, so it can reach its end.
    const failed = { files: this.#failed.length, bytes: this.#failed.reduce((sum, task) => sum + task.size, 0) };
    const total = { files: this.#total.files - failed.files, bytes: this.#total.bytes - failed.bytes };
    if (running.length) this.#progress.record(sent, Date.now());
    this.conflict = this.#conflicts[0] ?? null;
    this.rows = [
      ...this.#conflicts,
      ...running,
      ...this.#failed,
      ...this.#waiting,
      ...this.#finished.slice(-LISTED_FINISHED).reverse(),
    ];
    this.summary = {
      files: this.#total.files,
      finished: this.#done.files,
      skipped: this.#skipped,
      bytes: this.#total.bytes,
      sentBytes: sent.bytes,
      running: running.length,
      waiting: this.#waiting.length,
      conflicts: this.#conflicts.length,
      failed: this.#failed.length,
      fraction: fraction(sent, total),
      bytesPerSecond: this.isPaused ? 0 : this.#progress.bytesPerSecond(),
      secondsLeft: this.isPaused ? null : this.#progress.secondsLeft(sent, total),
      isStored: this.#store?.hasAll ?? false,
    };
    if (running.length) this.#publishSoon();
  }
}

function isLost(task: Task): boolean {
  return !task.file && !task.isFolder;
}

function applies(decision: Decision, task: Task): boolean {
  return decision !== 'replace' || (task.existing !== null && canReplace(task.existing));
}
