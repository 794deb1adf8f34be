/** HTML that tries to run a script or to load something when an email is shown. `{n}` is the number of the payload. */

const script = 'top.hacked=(top.hacked||[]).concat({n});alert({n})'

const payloads = (canary: string): string[] => [
  `<script>${script}</script>`,
  `<script src="${canary}/{n}.js"></script>`,
  `<img src=x onerror="${script}">`,
  `<img src=x onerror=${script}//`,
  `<svg onload="${script}"><image href="${canary}/{n}.png"/></svg>`,
  `<svg><animate onbegin="${script}" attributeName=x dur=1s></svg>`,
  `<svg><use href="${canary}/{n}.svg#x"/><foreignObject><img src=x onerror="${script}"></foreignObject></svg>`,
  `<meta http-equiv="refresh" content="0;url=${canary}/{n}">`,
  `<base href="${canary}/{n}/"><img src="relative.png">`,
  `<form action="${canary}/{n}"><input autofocus onfocus="${script}"><button formaction="javascript:${script}">x</button></form>`,
  `<iframe src="${canary}/{n}.html"></iframe>`,
  `<iframe srcdoc="&lt;script&gt;${script}&lt;/script&gt;"></iframe>`,
  `<p style="background:url(${canary}/{n}.png)">x</p>`,
  `<style>@import "${canary}/{n}.css"; body { background: url(${canary}/{n}b.png) }</style>`,
  `<style><!--</style><img src=x onerror="${script}">--></style>`,
  `<link rel="stylesheet" href="${canary}/{n}.css"><link rel="prefetch" href="${canary}/{n}p"><link rel="dns-prefetch preconnect" href="${canary}">`,
  `<object data="${canary}/{n}.swf"><param name="movie" value="${canary}/{n}m"></object><embed src="${canary}/{n}e">`,
  `<a id="link{n}" href="javascript:${script}">x</a><a href="&#106;avascript:${script}">y</a><a href="java\tscript:${script}">z</a>`,
  `<a href="data:text/html,<script>${script}</script>">x</a><img src="data:image/svg+xml,<svg onload='${script}'/>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${script}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${script}>"></noscript>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${script}>">`,
  `<table background="${canary}/{n}.png"><tr><td background="${canary}/{n}d.png">x</td></tr></table>`,
  `<img srcset="${canary}/{n}.png 1x, ${canary}/{n}b.png 2x"><picture><source srcset="${canary}/{n}c.png"><img></picture>`,
  `<video poster="${canary}/{n}.png" src="${canary}/{n}.mp4" autoplay onloadstart="${script}"></video><audio src="${canary}/{n}.mp3" autoplay></audio>`,
  `<input type="image" src="${canary}/{n}.png"><body background="${canary}/{n}b.png" onload="${script}">`,
  `<details open ontoggle="${script}">x</details><marquee onstart="${script}">y</marquee>`,
  `<img src="//${canary.replace('http://', '')}/{n}.png"><img src="${canary}/{n}q.png" data-file="0">`,
  `<textarea><img title="</textarea><img src=x onerror=${script}>"></textarea>`,
  `<template><img src=x onerror="${script}"></template><xmp><img title="</xmp><img src=x onerror=${script}>"></xmp>`,
  `<div title="unclosed><img src=x onerror=${script}>`,
  `<img data-src='x" src="${canary}/{n}.png" onerror="${script}' alt="x">`,
  `<bgsound src="${canary}/{n}.wav"><frameset onload="${script}"><frame src="${canary}/{n}f"></frameset>`,
  `<img src="${canary}/{n}.png" lowsrc="${canary}/{n}l.png" dynsrc="${canary}/{n}y.png" longdesc="${canary}/{n}g">`,
]

export const listHostileHtml = (canary: string): string[] =>
  payloads(canary).map((payload, at) => payload.replaceAll('{n}', String(at)))
