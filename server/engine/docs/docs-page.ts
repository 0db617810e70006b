/** The page to try the API: no script of others, nothing secret; what it shows it reads with the token of the person. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
input, textarea, button { font: inherit; padding: .25rem .5rem }
textarea, input.wide { width: 100%; box-sizing: border-box; font-family: ui-monospace, monospace }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; margin: .4rem 0; padding: .4rem .8rem }
summary { cursor: pointer }
code, pre { font-family: ui-monospace, monospace; font-size: 13px }
pre { overflow: auto; max-height: 30rem; background: color-mix(in srgb, currentColor 8%, transparent); padding: .8rem }
label { display: grid; grid-template-columns: 16rem 1fr; gap: .5rem; margin: .2rem 0 }
small { opacity: .75 }
</style>
</head>
<body>
<h1>API</h1>
<p><label>Access token <input id="token" class="wide" type="password" autocomplete="off" spellcheck="false"></label>
<button id="load" type="button">Show the calls</button> <a href="openapi.json">openapi.json</a> <span id="note" role="status"></span></p>
<p><input id="find" class="wide" type="search" placeholder="Find a call" aria-label="Find a call" hidden></p>
<main id="calls"></main>
<script type="module" src="docs/script.js"></script>
</body>
</html>
`
