import { randomUUIDv7 } from 'node:crypto'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const newId = (): string => randomUUIDv7()

/** Only our own spelling counts; anything else in a path is an id that does not exist. */
export const isId = (text: string): boolean => uuid.test(text)

/** An event's id as the envelope prints it: 32 hex characters. */
export const bareId = (id: string): string => id.replaceAll('-', '')
