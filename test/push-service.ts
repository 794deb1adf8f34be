import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { type Received, type Script, startReceiver } from './receiver.ts'

/** A push service and the browsers that it serves, which decrypt what they get as RFC 8291 says. */

const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer =>
  createHmac('sha256', key)
    .update(Buffer.concat(parts.map(part => Buffer.from(part))))
    .digest()

const one = Buffer.from([1])

export function makeBrowserKeys() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const point = pair.getPublicKey()
  return {
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer): string {
      const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
      assert.deepEqual([body.readUInt32BE(16), body[20]], [4096, 65])
      const shared = hmac(auth, pair.computeSecret(sender))
      const input = hmac(shared, 'WebPush: info\0', point, sender, one)
      const pseudoRandom = hmac(salt, input)
      const key = hmac(pseudoRandom, 'Content-Encoding: aes128gcm\0', one).subarray(0, 16)
      const nonce = hmac(pseudoRandom, 'Content-Encoding: nonce\0', one).subarray(0, 12)
      const cipher = createDecipheriv('aes-128-gcm', key, nonce)
      cipher.setAuthTag(sealed.subarray(-16))
      const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
      assert.equal(text.at(-1), 2, 'the last record ends with the byte 2')
      return text.subarray(0, -1).toString()
    },
  }
}

/** Checks who sent a notification, as a push service does (RFC 8292). */
async function verifySender({ headers }: Received, audience: string): Promise<string> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization!) ?? []
  const point = Buffer.from(key, 'base64url')
  const encode = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: encode(1, 33), y: encode(33, 65) }
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience })
  assert.match(payload.sub!, /^(mailto:|https?:)/)
  return key
}

export interface Pushed {
  headers: Record<string, string>
  /** The key by which the sender identified itself. */
  serverKey: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  content: any
}

export async function startPushService(script: Script = 201) {
  const receiver = await startReceiver(script)
  const { origin } = new URL(receiver.url)
  return {
    receiver,
    /** A browser with its address at this push service. */
    addBrowser() {
      const browser = makeBrowserKeys()
      const path = `/${randomBytes(6).toString('hex')}`
      return {
        registration: { endpoint: origin + path, ...browser.keys },
        /** What the browser has got so far. */
        read: (): Promise<Pushed[]> =>
          Promise.all(
            receiver.requests
              .filter(received => received.path === path)
              .map(async received => ({
                headers: received.headers,
                serverKey: await verifySender(received, origin),
                content: JSON.parse(browser.decrypt(received.body)),
              })),
          ),
      }
    },
  }
}

export type PushService = Awaited<ReturnType<typeof startPushService>>
