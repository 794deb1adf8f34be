import { after } from 'node:test'
import { useDashboard } from '../dashboard.ts'
import { joinProject, type Person } from '../operator.ts'
import { mailListen, openMailbox, receive, startReceivingIn } from './receiving.ts'

const support = 'support@acme.example'

/** Opens a dashboard whose server receives email. `deliver` sends it one. Call this at file level. */
export function useReceivingDashboard() {
  const omar = {} as Person
  let receiving: Awaited<ReturnType<typeof startReceivingIn>>
  const dashboard = useDashboard(
    async ({ server }) => {
      receiving = await startReceivingIn(server)
      await openMailbox(receiving, support)
      Object.assign(omar, await joinProject(server, server.acme, { name: 'Omar' }))
    },
    { config: { mailListen } },
  )
  after(() => receiving?.stop())
  return { dashboard, omar, deliver: (mail: string | Buffer) => receive(receiving, support, mail) }
}
