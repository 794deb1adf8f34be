export const conflict = {
  title: 'Somebody else has saved meanwhile',
  about: 'Choose which of the two stays. Nothing that you typed is lost until then.',
  field: 'Field',
  mine: 'Yours',
  theirs: 'Theirs',
  keep: 'Save mine',
  take: 'Take theirs',
  empty: 'empty',
}
