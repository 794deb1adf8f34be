import { once } from 'node:events'
import { request } from 'node:http'
import { uploadBytes } from '../../test/upload.ts'

/** Uploads and downloads files in a separate process, so that it does not delay the measured calls. */
export interface Order {
  url: string
  key: string
  size: number
  /** The number of concurrent transfers. */
  count: number
  /** The file to download; null to upload new ones. */
  id: string | null
}

async function send({ url, key, size }: Order): Promise<string> {
  const { status, body } = await uploadBytes(`${url}/api/v1`, key, size)
  if (status !== 201) throw new Error(`The upload was answered ${status}`)
  return body.id
}

async function fetchFile({ url, key, size, id }: Order): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const call = request(`${url}/api/v1/media/${id}`, { headers, agent: false })
  call.end()
  const [response] = await once(call, 'response')
  let length = 0
  for await (const chunk of response) length += chunk.length
  if (length !== size) throw new Error(`The download had ${length} bytes`)
  return id!
}

/** Responds with the last file, or null if one failed. */
process.on('message', async (order: Order) => {
  const act = () => (order.id ? fetchFile(order) : send(order))
  const ended = await Promise.allSettled(Array.from({ length: order.count }, act))
  const failed = ended.find(one => one.status === 'rejected')
  if (failed) console.error(failed.reason)
  process.send!(failed ? null : (ended.at(-1) as PromiseFulfilledResult<string>).value)
})
process.on('disconnect', () => process.exit())
