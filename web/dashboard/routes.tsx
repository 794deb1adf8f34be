import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { accountPages } from './account/account-pages.ts'
import { asFailure, Failure } from './core/failure.ts'
import { preference } from './core/preferences.ts'
import { queryClient } from './core/query.ts'
import { Broken, Loading, Missing } from './core/states.tsx'
import InboxPage from './inbox/inbox-page.tsx'
import NothingOpen from './inbox/nothing-open.tsx'
import { loadTicketPage, preloadInbox } from './inbox/preload.ts'
import { readSearch } from './inbox/search.ts'
import { settingsPages } from './settings/pages.ts'
import { Root } from './shell/root.tsx'
import Shell from './shell/shell.tsx'
import { meQuery } from './users/me.ts'
import { rememberProject } from './users/open-project.ts'
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
    const me = await queryClient.ensureQueryData(meQuery).catch((thrown: unknown) => {
      if (asFailure(thrown).status !== 401) throw thrown
      const next = location.href === '/' ? undefined : location.href
      throw redirect({ to: '/sign-in', search: { next }, replace: true })
    })
    return { me }
  },
  component: Shell,
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad({ context: { me } }) {
    const ids = me.memberships.map(({ project }) => project.id)
    const projectId = ids.find(id => id === preference.get('project')) ?? ids[0]
    if (projectId) throw redirect({ to: '/p/$projectId/inbox', params: { projectId }, replace: true })
  },
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
  beforeLoad({ context: { me }, params: { projectId } }) {
    const membership = me.memberships.find(one => one.project.id === projectId)
    if (!membership) throw redirect({ to: '/', replace: true })
    if (membership.is_suspended) throw new Failure(403, { error_code: 'PROJECT_SUSPENDED' })
    if (membership.requires_second_factor && !me.user.meets_second_factor)
      throw redirect({ href: '/account/security', replace: true })
    rememberProject(projectId)
  },
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

const tree = root.addChildren([
  signIn,
  link,
  signedIn.addChildren([
    home,
    account.addChildren([accountHome, ...accountRoutes]),
    project.addChildren([
      projectHome,
      inbox.addChildren([inboxView.addChildren([nothingOpen, ticket])]),
      contacts.addChildren([nobodyChosen, contact]),
      settings.addChildren([settingsHome, ...settingsRoutes]),
    ]),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Broken,
  defaultPendingMs: 300,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
