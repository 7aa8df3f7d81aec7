// The memory that is played on the whole screen; the player is loaded when one is opened.
import type { Photo } from './photo';

export interface Story {
  readonly title: string;
  readonly subtitle: string | null;
  readonly photos: readonly Photo[];
}

class Stories {
  playing = $state.raw<{ stories: readonly Story[]; index: number } | null>(null);

  open(stories: readonly Story[], index: number): void {
    this.playing = { stories, index };
  }

  close(): void {
    this.playing = null;
  }
}

export const stories = new Stories();
