import { group } from './shape.ts'

export const eastern = [
  group(
    'pl',
    {
      pl1: 'Gdzie jest moja paczka? Zamówienie złożyłem w Łodzi',
      pl2: 'Proszę o zwrot pieniędzy za żelazko',
    },
    [
      ['lodzi', 'pl1', 'ł is l'],
      ['zamowienie', 'pl1', 'without the accent'],
      ['zamów', 'pl1', 'a prefix'],
      ['zelazko', 'pl2', 'without the dot'],
      ['pieniedyz', 'pl2', 'two neighbouring letters are swapped'],
      ['paczka zwrot', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'cs',
    {
      cs1: 'Dobrý den, reklamace číslo 55821 stále čeká na vyřízení',
      cs2: 'Žárovka praskla hned první večer',
    },
    [
      ['cislo 55821', 'cs1', 'without the accents'],
      ['REKLAMACE', 'cs1', 'capitals'],
      ['rekalmace', 'cs1', 'two neighbouring letters are swapped'],
      ['55822', '', 'words with digits are never corrected'],
      ['zarovka', 'cs2', 'without the accents'],
      ['večer prask', 'cs2', 'the last word is a prefix'],
    ],
  ),
  group(
    'hu',
    {
      hu1: 'A hűtőszekrény zörög, és a csomag sérülten érkezett',
      hu2: 'A számlákat kétszer vontátok le',
    },
    [
      ['hutoszekreny', 'hu1', 'without the accents'],
      ['hűtő', 'hu1', 'a prefix'],
      ['csoamg', 'hu1', 'two neighbouring letters are swapped'],
      ['számla', 'hu2', 'another form of the word'],
      ['ketszer', 'hu2', 'without the accent'],
    ],
  ),
  group(
    'fi',
    {
      fi1: 'Tilaukseni ei ole vieläkään saapunut Jyväskylään',
      fi2: 'Haluan palauttaa kengät, koska ne ovat liian pienet',
    },
    [
      ['jyvaskylaan', 'fi1', 'without the dots'],
      ['jyväskylä', 'fi1', 'a prefix'],
      ['kengat', 'fi2', 'without the dots'],
      ['palautaa', 'fi2', 'a letter is missing'],
      ['tilaukseni kengät', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'tr',
    {
      tr1: 'İSTANBUL şubesinden aldığım ütü çalışmıyor',
      tr2: 'Faturaları Iğdır adresine gönderin',
    },
    [
      ['istanbul', 'tr1', 'the capital İ is i'],
      ['ıstanbul', 'tr1', 'the ı without a dot is i'],
      ['calismiyor', 'tr1', 'without the marks'],
      ['igdir', 'tr2', 'I and ı are i'],
      ['fatura', 'tr2', 'a prefix of another form of the word'],
      ['göndeirn', 'tr2', 'two neighbouring letters are swapped'],
    ],
  ),
  group(
    'ru',
    {
      ru1: 'Где мой заказ? Я заказал «Ёлочные» игрушки',
      ru2: 'Верните деньги за пылесос, он не работает',
      ru3: 'Договор №77-15 подписан',
    },
    [
      ['елочные', 'ru1', 'people write е for ё, beside Russian quotation marks'],
      ['заказы', 'ru1', 'plural and singular'],
      ['игрушка', 'ru1', 'singular and plural'],
      ['пылес', 'ru2', 'a prefix'],
      ['пылсеос', 'ru2', 'two neighbouring letters are swapped'],
      ['ПЫЛЕСОС', 'ru2', 'capitals'],
      ['77-15', 'ru3', 'a number after №, with a hyphen'],
      ['заказ пылесос', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'uk',
    {
      uk1: 'Мій комп’ютер не вмикається після оновлення',
      uk2: 'Посилка досі їде, хоча її відправили у вівторок',
    },
    [
      ["комп'ютер", 'uk1', 'another apostrophe'],
      ['компʼютер', 'uk1', 'the letter apostrophe'],
      ['компютер', 'uk1', 'no apostrophe'],
      ['вмикається', 'uk1', 'the exact word'],
      ['посилка віторок', 'uk2', 'a letter is missing'],
      ['ВІВТОРОК', 'uk2', 'capitals'],
    ],
  ),
  group(
    'el',
    {
      el1: 'Πού βρίσκεται η παραγγελία μου; Ο αριθμός είναι 30-221',
      el2: 'Ο λογαριασμός χρεώθηκε δύο φορές',
    },
    [
      ['παραγγελια', 'el1', 'without the accent'],
      ['ΠΑΡΑΓΓΕΛΊΑ', 'el1', 'capitals'],
      ['αριθμος', 'el1', 'a final sigma, without the accent'],
      ['ΛΟΓΑΡΙΑΣΜΌΣ', 'el2', 'a capital sigma matches the final one'],
      ['λογαρ', 'el2', 'a prefix'],
      ['παραγελλία', 'el1', 'the wrong letter is doubled'],
    ],
  ),
]
