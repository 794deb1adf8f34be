// Stands in until bin/docs makes it of docs/dashboard.json.
export interface components {
  schemas: {
    Role: 'owner' | 'admin' | 'operator'
    Department: { id: string; name: string; is_default: boolean; operator_ids: string[]; created_at: string }
  }
}
type Role = 'owner' | 'admin' | 'operator'
type Face = { id: string; name: string; color: string | null; logo_url: string | null }
type Me = {
  user: { id: string; name: string; email: string; image: string | null; has_password: boolean; has_second_factor: boolean; settings: Record<string, unknown> }
  memberships: { project: Face; operator_id: string; role: Role; is_suspended: boolean; requires_second_factor: boolean }[]
}
type Person = {
  id: string; name: string; email: string; role: Role; avatar_url: string | null
  status: 'online' | 'away' | 'dnd' | 'custom' | 'offline'; status_text: string | null; status_emoji: string | null
  department_ids: string[]; created_at: string; last_seen_at: string | null; has_account: boolean; has_second_factor: boolean; invitation_expires_at: string | null
}
type Handed = { url: string; expires_at: string; is_mailed: boolean }
type ShownLink = { purpose: 'set_up' | 'invite' | 'reset'; project: Face | null; email: string | null; name: string | null; has_account: boolean; expires_at: string }
type None = { query?: never; header?: never; path?: never; cookie?: never }
type At<P> = { path: P; query?: never; header?: never; cookie?: never }
type Json<T> = { content: { 'application/json': T } }
type Op<P, Body, T> = { parameters: P; responses: { 200: { headers: Record<string, unknown> } & Json<T> } } & (Body extends null ? { requestBody?: never } : { requestBody: Json<Body> })
type Project = { project_id: string }
type OfPerson = { project_id: string; operator_id: string }
export interface paths {
  '/me': { get: Op<None, null, Me>; patch: Op<None, { name?: string; settings?: Record<string, unknown> }, Me> }
  '/sign-in': { get: Op<None, null, { oidc_name: string | null; sends_mail: boolean }> }
  '/resets': { post: Op<None, { email: string }, unknown> }
  '/links/{token}': {
    get: Op<At<{ token: string }>, null, ShownLink>
    post: Op<At<{ token: string }>, { name?: string; email?: string; password?: string }, { project_id: string | null; is_signed_in: boolean }>
  }
  '/projects/{project_id}/operators': {
    get: Op<At<Project>, null, { items: Person[] }>
    post: Op<At<Project>, { email: string; name: string; role?: Role; department_ids?: string[] }, { operator: Person; link: Handed }>
  }
  '/projects/{project_id}/operators/{operator_id}': {
    patch: Op<At<OfPerson>, { name?: string; role?: Role; department_ids?: string[] }, Person>
    delete: Op<At<OfPerson>, null, unknown>
  }
  '/projects/{project_id}/operators/{operator_id}/invitation': { post: Op<At<OfPerson>, null, { operator: Person; link: Handed }> }
  '/projects/{project_id}/operators/{operator_id}/reset': { post: Op<At<OfPerson>, null, Handed> }
  '/projects/{project_id}/departments': { get: Op<At<Project>, null, { items: components['schemas']['Department'][] }> }
  '/projects/{project_id}/security': {
    patch: Op<At<Project>, { requires_second_factor: boolean }, { requires_second_factor: boolean }>
  }
}
