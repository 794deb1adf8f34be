import { content, type makeTickets, printRequest } from '../tickets.ts'
import { type Kind, stamp } from './order.ts'

type Tickets = Awaited<ReturnType<typeof makeTickets>>['tickets']

const makers: Record<string, (ticket: Tickets[number], n: number) => string> = {
  read: ({ id, key }) => printRequest('GET', `/tickets/${id}`, key),
  list: ({ key }, n) => printRequest('GET', `/tickets?page_size=${[10, 25][n % 2]}&status=new`, key),
  messages: ({ id, key }) => printRequest('GET', `/tickets/${id}/messages?page_size=20`, key),
  contacts: ({ key }, n) => printRequest('GET', `/contacts?email=person${n % 200}@mail.example`, key),
  search: ({ key }, n) => printRequest('GET', `/tickets?q=order${n % 200}&page_size=10`, key),
  post: ({ id, key }, n) =>
    printRequest(
      'POST',
      `/tickets/${id}/messages`,
      key,
      JSON.stringify({ content: `${content} order${n % 200}` }),
    ),
  change: ({ id, key }, n) =>
    printRequest('PATCH', `/tickets/${id}`, key, JSON.stringify({ priority: ['low', 'high'][n % 2] })),
  create: ({ key }, n) => {
    const contact = { email: `person${n % 200}@mail.example` }
    return printRequest('POST', '/tickets', key, JSON.stringify({ contact, subject: stamp, content }))
  },
}

/** A quarter of the calls are writes. */
export const usualMix = 'read=30,list=15,messages=15,contacts=10,search=5,post=15,change=5,create=5'

/** Parses kinds with their shares, as in `read=3,post=1`. */
export const openMix = (text: string, tickets: Tickets): Kind[] =>
  text.split(',').map(part => {
    const [name = '', share] = part.split('=')
    const make = makers[name]
    if (!make || !(Number(share) > 0))
      throw new Error(`--mix: ${part} is none; name kinds of ${Object.keys(makers)} as in ${usualMix}`)
    return { name, share: Number(share), requests: tickets.map(make) }
  })
