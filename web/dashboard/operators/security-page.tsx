import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { RequireSecondFactor } from './require-second-factor.tsx'

export default function ProjectSecurityPage() {
  return (
    <Page title={pageText.account.security} about={pageText.people.securityAbout}>
      <RequireSecondFactor />
    </Page>
  )
}
