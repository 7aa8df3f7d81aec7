import { mount } from 'svelte';
import App from './app/App.svelte';
import { watchConnection } from './app/connection.svelte';
import { router } from './app/router.svelte';
import './design/base.css';
import { loadWords } from './words';

watchConnection();
router.start();
await loadWords();
mount(App, { target: document.getElementById('app')! });
