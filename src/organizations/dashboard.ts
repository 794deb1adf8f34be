import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { organizationEndpoints } from './api.ts'
import { previewDomain } from './find.ts'
import { domainPreview } from './schema.ts'

export const organizationDashboard: Endpoint[] = [
  ...organizationEndpoints,
  endpoint({
    method: 'GET',
    path: '/organization-domains/{domain}',
    tag: 'Organizations',
    summary: 'Preview adding a domain to an organization',
    responses: { 200: domainPreview },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, project, params }) => previewDomain(db, project.id, params.domain!),
  }),
]
