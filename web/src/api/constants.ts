// Written by scripts/types.mjs from docs/openapi.json.
export const API_KEY = 'sky-web-5f1c07b29ad84e63';
export const APP_SECRET = 'MGMzZDVmOWUtN2IxYS00ZTI4LTlkNjYtOGE0MjE1YzBlN2Yz';
