// Pictures and videos of a gallery as large as the window: swipe, pinch, arrow keys, Escape. Each has an address in the
// history, so that Back closes it.
import PhotoSwipe, { type SlideData } from 'photoswipe';

const SAVE = 'M16 6v13m0 0 5-5m-5 5-5-5M8 25h16';

type Tile = HTMLAnchorElement;

export function openInPlace(gallery: HTMLElement): void {
  const tiles = [...gallery.querySelectorAll<Tile>('a.tile')];
  for (const tile of tiles) reshape(tile);
  gallery.addEventListener('click', (event) => {
    const tile = (event.target as Element).closest<Tile>('a.tile');
    // Another tab or window shows the page of the picture.
    if (!tile || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(gallery, tiles, tiles.indexOf(tile));
  });
}

/** Gives a picture its own shape where the server has not read it yet; style.css has a class for every shape. */
function reshape(tile: Tile): void {
  const picture = tile.querySelector('img');
  const measure = (): void => {
    if (!picture?.naturalWidth) return;
    const { naturalWidth: width, naturalHeight: height } = picture;
    const known = Number(tile.dataset.width) / Number(tile.dataset.height);
    if (Math.abs(width / height - known) < 0.06) return;
    const ratio = Math.min(300, Math.max(40, 5 * Math.round((20 * width) / height)));
    tile.parentElement!.className = `photo r${ratio}`;
    Object.assign(tile.dataset, { width, height });
  };
  picture?.addEventListener('load', measure);
  measure();
}

function open(gallery: HTMLElement, tiles: Tile[], index: number): void {
  const words = gallery.dataset;
  const viewer = new PhotoSwipe({
    dataSource: tiles.map(slideOf),
    index,
    bgOpacity: 1,
    loop: false,
    preload: [1, 2],
    wheelToZoom: true,
    returnFocus: true,
    trapFocus: true,
    showHideAnimationType: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'none' : 'zoom',
    closeTitle: words.close,
    zoomTitle: words.zoom,
    arrowPrevTitle: words.previous,
    arrowNextTitle: words.next,
  });
  viewer.addFilter('thumbEl', (_, data) => data.element?.querySelector('img') ?? (null as unknown as HTMLElement));
  viewer.on('contentLoad', (event) => {
    const { content } = event;
    if (content.data.type !== 'video') return;
    event.preventDefault();
    const video = document.createElement('video');
    Object.assign(video, { controls: true, playsInline: true, preload: 'metadata', className: 'pswp__video' });
    video.poster = content.data.msrc ?? '';
    video.src = String(content.data.video);
    content.element = video as unknown as HTMLImageElement;
    content.onLoaded();
  });
  viewer.on('contentDeactivate', ({ content }) => {
    if (content.element instanceof HTMLVideoElement) content.element.pause();
  });
  // A video's own controls must be reachable by mouse and finger.
  viewer.on('pointerDown', (event) => {
    if (event.originalEvent.target instanceof HTMLVideoElement) event.preventDefault();
  });
  viewer.on('loadComplete', ({ content, slide }) => {
    const picture = content.element;
    // Shapes that the server does not know yet.
    if (!(picture instanceof HTMLImageElement) || !picture.naturalWidth) return;
    const [width, height] = fitting(picture.naturalWidth, picture.naturalHeight);
    if (Math.abs(width / height - content.width / content.height) < 0.02) return;
    Object.assign(content, { width, height });
    if (slide) {
      Object.assign(slide, { width, height });
      slide.resize();
    }
  });
  viewer.on('uiRegister', () => {
    viewer.ui?.registerElement({
      name: 'save',
      order: 8,
      isButton: true,
      tagName: 'a',
      title: words.download,
      html: {
        isCustomSVG: true,
        inner: `<path d="${SAVE}" fill="none" stroke="#fff" stroke-width="2"/>`,
        outlineID: '',
      },
      onInit: (element) => {
        const link = element as HTMLAnchorElement;
        link.download = '';
        viewer.on('change', () => (link.href = tiles[viewer.currIndex]?.dataset.save ?? ''));
      },
    });
    viewer.ui?.registerElement({
      name: 'caption',
      order: 9,
      isButton: false,
      appendTo: 'root',
      onInit: (element) => {
        viewer.on('change', () => (element.textContent = tiles[viewer.currIndex]?.dataset.caption ?? ''));
      },
    });
  });
  closeWithBack(viewer);
  viewer.init();
}

function slideOf(tile: Tile): SlideData {
  const { kind, preview, view, width, height } = tile.dataset;
  const [w, h] = fitting(Number(width), Number(height));
  const picture = tile.querySelector('img');
  const common = { w, h, element: tile, msrc: picture?.currentSrc || picture?.src, alt: picture?.alt };
  return kind === 'video' && view ? { ...common, type: 'video', video: view } : { ...common, src: preview };
}

/** The largest size that fits the window: the preview of a small picture is not larger than the picture. */
function fitting(width: number, height: number): [number, number] {
  const scale = 2160 / Math.max(width, height, 1);
  return [Math.round(width * scale), Math.round(height * scale)];
}

function closeWithBack(viewer: PhotoSwipe): void {
  history.pushState({ viewer: true }, '');
  let isBack = false;
  const back = (): void => {
    isBack = true;
    viewer.close();
  };
  addEventListener('popstate', back);
  viewer.on('destroy', () => {
    removeEventListener('popstate', back);
    if (!isBack) history.back();
  });
}
