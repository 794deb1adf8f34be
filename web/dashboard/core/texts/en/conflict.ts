export const conflict = {
  title: 'Someone else saved changes while you were editing',
  about: 'Choose which version to keep. What you typed is safe until you choose.',
  field: 'Field',
  mine: 'Yours',
  theirs: 'Theirs',
  keep: 'Keep mine',
  take: 'Use theirs',
  empty: 'Empty',
}
