import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { accountPages } from './account/account-pages.ts'
import { preference } from './core/preferences.ts'
import { queryClient } from './core/query.ts'
import { Missing } from './core/states.tsx'
import InboxPage from './inbox/inbox-page.tsx'
import NothingOpen from './inbox/nothing-open.tsx'
import { loadTicketPage, preloadInbox } from './inbox/preload.ts'
import { readSearch } from './inbox/search.ts'
import { settingsPages } from './settings/pages.ts'
import { Root } from './shell/root.tsx'
import Shell from './shell/shell.tsx'
import { enterProject, openLastProject, requireSession } from './users/entering.ts'
import { meQuery } from './users/me.ts'
import { readLinkSearch, readSignInSearch } from './users/search.ts'

/** All routes of the dashboard. The inbox is part of the main bundle; other pages are loaded when needed. */

const root = createRootRoute({ component: Root, notFoundComponent: Missing })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  component: lazyRouteComponent(() => import('./users/sign-in-page.tsx')),
})

const link = createRoute({
  getParentRoute: () => root,
  path: '/link/$token',
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import('./users/link-page.tsx')),
})

/** All routes below need a session. Others are sent to sign in, and return here afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ location, preload }) {
    if (!preload && !queryClient.getQueryData(meQuery.queryKey))
      preloadInbox(location.pathname, location.search)
    return { me: await requireSession(location.href) }
  },
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => openLastProject(me),
  component: lazyRouteComponent(() => import('./projects/no-project-page.tsx')),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-layout.tsx')),
})

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$projectId',
  beforeLoad: ({ context: { me }, params: { projectId } }) => enterProject(me, projectId),
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/p/$projectId/inbox', params, replace: true })
  },
})

const inbox = createRoute({
  getParentRoute: () => project,
  path: '/inbox',
  beforeLoad: ({ params, location }) => {
    if (!/\/inbox\/?$/.test(location.pathname)) return
    const view = preference.get('view') ?? 'open'
    throw redirect({ to: '/p/$projectId/inbox/$view', params: { ...params, view }, replace: true })
  },
})

const inboxView = createRoute({
  getParentRoute: () => inbox,
  path: '/$view',
  validateSearch: readSearch,
  beforeLoad: ({ params: { view } }) => preference.set('view', view),
  component: InboxPage,
})

const nothingOpen = createRoute({ getParentRoute: () => inboxView, path: '/', component: NothingOpen })

const ticket = createRoute({
  getParentRoute: () => inboxView,
  path: '/$number',
  component: lazyRouteComponent(loadTicketPage),
})

const firstSteps = createRoute({
  getParentRoute: () => project,
  path: '/first-steps',
  component: lazyRouteComponent(() => import('./first-steps/first-steps-page.tsx')),
})

const contacts = createRoute({
  getParentRoute: () => project,
  path: '/contacts',
  component: lazyRouteComponent(() => import('./contacts/contacts-page.tsx')),
})

const nobodyChosen = createRoute({
  getParentRoute: () => contacts,
  path: '/',
  component: lazyRouteComponent(() => import('./contacts/nobody-chosen.tsx')),
})

const contact = createRoute({
  getParentRoute: () => contacts,
  path: '/$contactId',
  component: lazyRouteComponent(() => import('./contacts/contact-page.tsx')),
})

const organizations = createRoute({
  getParentRoute: () => project,
  path: '/organizations',
  component: lazyRouteComponent(() => import('./organizations/organizations-page.tsx')),
})

const noOrganization = createRoute({
  getParentRoute: () => organizations,
  path: '/',
  component: lazyRouteComponent(() => import('./organizations/none-chosen.tsx')),
})

const organization = createRoute({
  getParentRoute: () => organizations,
  path: '/$organizationId',
  component: lazyRouteComponent(() => import('./organizations/organization-page.tsx')),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-layout.tsx')),
})

const settingsRoutes = settingsPages.map(({ path, load }) =>
  createRoute({ getParentRoute: () => settings, path, component: lazyRouteComponent(load) }),
)
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad({ params }) {
    throw redirect({ href: `/p/${params.projectId}/settings/${settingsPages[0]!.path}`, replace: true })
  },
})

const accountRoutes = accountPages.map(({ path, load }) =>
  createRoute({ getParentRoute: () => account, path, component: lazyRouteComponent(load) }),
)
const accountHome = createRoute({
  getParentRoute: () => account,
  path: '/',
  beforeLoad() {
    throw redirect({ href: `/account/${accountPages[0]!.path}`, replace: true })
  },
})

export const tree = root.addChildren([
  signIn,
  link,
  signedIn.addChildren([
    home,
    account.addChildren([accountHome, ...accountRoutes]),
    project.addChildren([
      projectHome,
      inbox.addChildren([inboxView.addChildren([nothingOpen, ticket])]),
      firstSteps,
      contacts.addChildren([nobodyChosen, contact]),
      organizations.addChildren([noOrganization, organization]),
      settings.addChildren([settingsHome, ...settingsRoutes]),
    ]),
  ]),
])
