import { Page } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { RequireSecondFactor } from './require-second-factor.tsx'

export default function ProjectSecurityPage() {
  return (
    <Page title={text.account.security} about={text.people.securityAbout}>
      <RequireSecondFactor />
    </Page>
  )
}
