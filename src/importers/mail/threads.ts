import { createHash } from 'node:crypto'
import type { IndexedMail, MailHead } from './index-mail.ts'

/** Groups emails into conversations by their Message-IDs, in any order: an answer may come before its question. */
export class Threads {
  /** The number of emails that are duplicates of others. */
  copies = 0
  readonly #mails: IndexedMail[] = []
  readonly #known = new Set<string>()
  /** The node of each Message-ID. Hashes take less memory. */
  readonly #ids = new Map<string, number>()
  /** The parent of each node; a node that is its own parent represents its conversation. */
  readonly #parents: number[] = []
  /** The node of each email. */
  readonly #nodes: number[] = []
  /** The nodes of Message-IDs that belong to an email, and do not only occur in references. */
  readonly #owners = new Set<number>()

  get size(): number {
    return this.#mails.length
  }

  #add(): number {
    return this.#parents.push(this.#parents.length) - 1
  }

  #nodeOf(id: string): number {
    const hash = createHash('sha256').update(id).digest('latin1').slice(0, 12)
    const known = this.#ids.get(hash)
    if (known !== undefined) return known
    const node = this.#add()
    this.#ids.set(hash, node)
    return node
  }

  #find(node: number): number {
    const parents = this.#parents
    let at = node
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!
      at = parents[at]!
    }
    return at
  }

  add({ mail, messageId, references }: MailHead): void {
    if (this.#known.has(mail.sourceId)) {
      this.copies++
      return
    }
    this.#known.add(mail.sourceId)
    this.#mails.push(mail)
    const node = this.#add()
    this.#nodes.push(node)
    // Some faulty programs give many emails the same Message-ID. References then lead to the first of them.
    const own =
      messageId === null || this.#owners.has(this.#nodeOf(messageId)) ? null : this.#nodeOf(messageId)
    if (own !== null) this.#owners.add(own)
    const ids = [...(own === null ? [] : [own]), ...references.map(id => this.#nodeOf(id))]
    for (const id of ids) this.#parents[this.#find(id)] = this.#find(node)
  }

  /** The conversations, oldest first, each with its emails in the order of their times. */
  list(): IndexedMail[][] {
    const byRoot = Map.groupBy(this.#mails.keys(), at => this.#find(this.#nodes[at]!))
    const threads = [...byRoot.values()].map(thread =>
      thread.map(at => this.#mails[at]!).sort((one, other) => one.at - other.at),
    )
    return threads.sort((one, other) => one[0]!.at - other[0]!.at)
  }
}
