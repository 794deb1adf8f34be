import { showNotice } from '../core/notice.ts'
import { Section } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { useOpenProject } from '../users/open-project.ts'
import { useOwnStatus } from './own-status.ts'
import { StatusForm } from './status-form.tsx'

/** The status in the project that was open last. */
export function OwnStatus() {
  const open = useOpenProject()
  const { own, choose } = useOwnStatus(open?.project.id ?? '', open?.operator_id ?? '')
  if (!open || !own) return null
  return (
    <Section title={pageText.account.status} about={pageText.account.statusAbout(open.project.name)}>
      <StatusForm own={own} onChoose={choose} onDone={() => showNotice(text.shell.saved)} />
    </Section>
  )
}
