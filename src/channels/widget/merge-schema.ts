import Type, { type Static } from 'typebox'
import { words } from '../../core/schema.ts'

/** What visitors see of a ticket after a merge into it. */
export const mergeReaders = Type.Object(
  {
    kept: words(['nobody', 'all', 'own'], {
      description:
        'The visitor whose chat the ticket is that stays: all of it, or only what was written in their own chat',
    }),
    merged: words(['nobody', 'all', 'nothing'], {
      description: 'The visitor whose chat the ticket is that is merged',
    }),
  },
  { title: 'MergeReaders', description: "`nobody`: the ticket is in no visitor's chat" },
)
export type MergeReaders = Static<typeof mergeReaders>
