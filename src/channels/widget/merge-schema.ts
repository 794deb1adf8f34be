import Type, { type Static } from 'typebox'
import { oneOf } from '../../core/schema.ts'

/** What visitors can read in a ticket after another one was merged into it. */
export const mergeReaders = Type.Object(
  {
    kept: oneOf(['nobody', 'all', 'own'], {
      description:
        'What the visitor of the ticket that remains can read: all of it, or only what was written in their own chat',
    }),
    merged: oneOf(['nobody', 'all', 'nothing'], {
      description: 'What the visitor of the merged ticket can read',
    }),
  },
  { title: 'MergeReaders', description: "`nobody`: the ticket does not belong to a visitor's chat" },
)
export type MergeReaders = Static<typeof mergeReaders>
