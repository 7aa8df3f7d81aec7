// The script of public galleries: pictures open in place, and files are sent with progress. The pages work without it.
import { openInPlace } from './lightbox';
import { sendWithProgress } from './send';
import 'photoswipe/style.css';
import './guest.css';

const gallery = document.querySelector<HTMLElement>('#gallery');
if (gallery) openInPlace(gallery);

const form = document.querySelector<HTMLFormElement>('#send');
if (form) sendWithProgress(form);
