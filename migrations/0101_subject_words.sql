-- The words of subjects, folded and separated as conditions on the subject compare them (src/conditions/folded.ts). The limit keeps each
-- word below the maximum size of an index entry. It is above the length of all folded subjects that do not consist of ligatures.
create index concurrently tickets_subject_words on tickets using gin (
  regexp_split_to_array(left(folded_text(subject), 800),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u3004\u3008-\u303f]+'));
