import type { AnswerOf } from '../core/answers.ts'
import { CopyField } from '../core/copy-field.tsx'
import { pageText } from '../core/page-text.ts'
import { ShownOnce } from '../core/shown-once.tsx'

export type Link = AnswerOf<'/projects/{project_id}/operators/{operator_id}/reset', 'post'>

interface Props {
  link: Link
  about: string
  onDone(): void
}

/** A link that works once, to copy and pass on. */
export const LinkToShare = ({ link, about, onDone }: Props) => (
  <ShownOnce about={about} onDone={onDone}>
    <CopyField label={pageText.people.link} value={link.url} />
  </ShownOnce>
)
