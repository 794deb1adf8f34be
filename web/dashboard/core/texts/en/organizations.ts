const people = (count: number): string =>
  count === 1 ? '1 existing contact' : `${count.toLocaleString('en')} existing contacts`

export const organizations = {
  title: 'Organizations',
  search: 'Search organizations…',
  create: 'New organization',
  createAction: 'Create organization',
  none: 'No organizations yet',
  noneAbout: 'Group contacts from the same company to see all their tickets in one place.',
  addFirst: 'Create an organization',
  noneFound: 'No results',
  noneFoundAbout: 'Search by name or domain.',
  choose: 'Select an organization',
  chooseAbout: 'Choose an organization from the list to see its members and tickets.',
  gone: 'Organization not found',
  goneAbout: 'It may have been deleted.',
  name: 'Name',
  nameNeeded: 'Enter a name.',
  firstDomain: 'Domain (optional)',
  firstDomainAbout: 'Contacts with an email address at this domain join the organization.',
  memberCount: (count: number) => (count === 1 ? '1 member' : `${count.toLocaleString('en')} members`),
  members: 'Members',
  membersHeading: (count: number) => `Members (${count.toLocaleString('en')})`,
  noMembers: 'No members yet',
  addMember: 'Add member',
  removeMember: (name: string) => `Remove ${name} from the organization`,
  allTickets: 'Show all tickets in the inbox',
  domains: 'Domains',
  domainsAbout:
    'Contacts with an email address at one of these domains join automatically. Subdomains don’t count: add each one.',
  domain: 'Domain',
  domainExample: 'northwind.example',
  addDomain: 'Add domain',
  addTitle: (domain: string) => `Add ${domain}?`,
  addAbout: (count: number) =>
    count === 0
      ? 'No existing contacts will join. New contacts with this domain will join automatically.'
      : `${people(count)} will join. New contacts with this domain will join automatically.`,
  domainTaken: (name: string) => `This domain belongs to ${name}. Remove it there first.`,
  removeDomain: (domain: string) => `Remove ${domain}`,
  removeDomainAbout: 'Current members stay. New contacts with this domain will no longer join.',
  removeDomainAction: 'Remove domain',
  remove: 'Delete organization',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeAbout: 'Its members and their tickets stay. This can’t be undone.',
}
