import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import { now } from '../core/time.ts'
import type { NewMedia } from '../media/media.ts'
import { reserveObject, type Storages } from '../media/media.ts'
import { thumbOf } from '../media/storage.ts'

/** The demo's pictures are generated, so that none is a person's work or face. */

export interface Portrait {
  back: string
  skin: string
  hair: string
  shirt: string
}

const faceOf = ({ back, skin, hair, shirt }: Portrait): string => `
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
    <rect width="96" height="96" fill="${back}"/>
    <circle cx="48" cy="38" r="25" fill="${hair}"/>
    <ellipse cx="48" cy="100" rx="36" ry="34" fill="${shirt}"/>
    <rect x="40" y="54" width="16" height="18" rx="8" fill="${skin}"/>
    <ellipse cx="48" cy="44" rx="18" ry="21" fill="${skin}"/>
    <path d="M29 40 Q34 20 50 22 Q66 22 67 40 Q58 30 46 30 Q36 30 29 40" fill="${hair}"/>
    <circle cx="41" cy="45" r="2.2" fill="#333"/><circle cx="55" cy="45" r="2.2" fill="#333"/>
    <path d="M41 54 Q48 60 55 54" fill="none" stroke="#333" stroke-width="2" stroke-linecap="round"/>
  </svg>`

export const drawPortrait = (face: Portrait): Promise<Buffer> =>
  sharp(Buffer.from(faceOf(face)))
    .webp({ quality: 70 })
    .toBuffer()

const spokes = (x: number, y: number, count = 14): string =>
  Array.from({ length: count }, (_, n) => {
    const turn = (n * Math.PI) / count
    const [dx, dy] = [Math.cos(turn) * 118, Math.sin(turn) * 118]
    return `<path d="M${x - dx} ${y - dy} L${x + dx} ${y + dy}" stroke="#8b939c" stroke-width="1.5"/>`
  }).join('')

const wheel = (x: number, y: number, bend = 0): string => `
  <g transform="rotate(${bend} ${x} ${y}) scale(1 1)">
    ${spokes(x, y)}
    <ellipse cx="${x}" cy="${y}" rx="${120 - bend}" ry="120" fill="none" stroke="#23272e" stroke-width="14"/>
    <ellipse cx="${x}" cy="${y}" rx="${109 - bend}" ry="109" fill="none" stroke="#aeb6bf" stroke-width="5"/>
    <circle cx="${x}" cy="${y}" r="11" fill="#23272e"/>
  </g>`

const frame = (color: string): string => `
  <g fill="none" stroke="${color}" stroke-width="15" stroke-linejoin="round" stroke-linecap="round">
    <path d="M230 400 L380 400 L545 235 L325 235 Z"/><path d="M380 400 L305 190"/>
    <path d="M570 400 L530 190"/>
  </g>
  <path d="M265 186 h76" stroke="#23272e" stroke-width="16" stroke-linecap="round"/>
  <path d="M530 192 q10 -34 54 -26" fill="none" stroke="#23272e" stroke-width="12" stroke-linecap="round"/>
  <circle cx="380" cy="400" r="32" fill="none" stroke="#555d66" stroke-width="9"/>`

const scene = (wall: string, floor: string, inside: string): string => `
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
    <rect width="800" height="600" fill="${wall}"/><rect y="505" width="800" height="95" fill="${floor}"/>
    ${inside}
  </svg>`

const bike = (color: string, bend = 0): string => `${wheel(230, 400)}${wheel(570, 400, bend)}${frame(color)}`

const crack = `<path d="M440 340 l9 -22 l-12 -6 l14 -24" fill="none" stroke="#fff" stroke-width="4"/>
  <circle cx="444" cy="318" r="52" fill="none" stroke="#e03131" stroke-width="7" stroke-dasharray="16 9"/>`

const parcel = `<path d="M150 220 L400 160 L650 220 L650 470 L400 540 L150 470 Z" fill="#c99a63"/>
  <path d="M150 220 L400 285 L650 220" fill="none" stroke="#a67a45" stroke-width="6"/>
  <path d="M400 285 V540" stroke="#a67a45" stroke-width="6"/><path d="M250 250 v230" stroke="#e4c79d" stroke-width="26"/>
  <path d="M505 330 l60 -28 l-22 58 l70 20 l-84 30 l-30 60 l-16 -64 l-64 -10 l66 -26 z" fill="#3d2d1a"/>`

const drawings: Record<string, string> = {
  'my-bike': scene('#dfe7ec', '#b8a48c', bike('#0b7285')),
  'bent-wheel': scene('#e9e4da', '#9aa19a', bike('#c2255c', 14)),
  'crack-in-the-frame': scene('#d8dee6', '#a5a9ad', `${bike('#e8590c')}${crack}`),
  'parcel-as-it-came': scene('#e6e3df', '#b9b2a8', parcel),
  'dented-box': scene('#dbe1e8', '#a79f93', parcel),
  'scratch-on-the-frame': scene('#e3ddd3', '#9d9a90', `${bike('#6741d9')}${crack}`),
  'fitted-rack': scene(
    '#d3e5da',
    '#8d9a86',
    `${bike('#2b8a3e')}<path d="M150 262 h120 M168 262 L230 400 M250 262 L230 400" stroke="#23272e" stroke-width="9"/>`,
  ),
}

export interface PictureDeps {
  db: Db
  storages: Storages
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function store({ db, storages }: PictureDeps, projectId: string, name: string, svg: string) {
  const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer()
  const thumb = await sharp(bytes).resize(320).webp({ quality: 75 }).toBuffer()
  const key = randomUUID().replaceAll('-', '')
  const { storage, bucketId } = await reserveObject({ db, storages }, projectId, key)
  await storage.write(key, once(bytes))
  await storage.write(thumbOf(key), once(thumb))
  return {
    id: newId(),
    filename: `${name}.jpg`,
    content_type: 'image/jpeg',
    kind: 'image',
    size: bytes.length,
    width: 800,
    height: 600,
    duration: null,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    has_thumb: true,
    created_at: now(),
    bucket_id: bucketId,
    storage_key: key,
  } satisfies NewMedia
}

/** Stores all of them. Those that no message uses are removed like other unused uploads. */
export async function drawPictures(deps: PictureDeps, projectId: string): Promise<Map<string, NewMedia>> {
  const stored = new Map<string, NewMedia>()
  for (const [name, svg] of Object.entries(drawings))
    stored.set(name, await store(deps, projectId, name, svg))
  return stored
}
