import { Page } from '../core/page.tsx'
import { text } from '../core/text.ts'
import { RequireSecondFactor } from './require-second-factor.tsx'

export default function SecurityPage() {
  return (
    <Page title={text.account.security} about={text.people.securityAbout}>
      <RequireSecondFactor />
    </Page>
  )
}
