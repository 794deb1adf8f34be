import { group } from './shape.ts'

export const romance = [
  group(
    'fr',
    {
      fr1: 'L’écran de l’ordinateur est cassé, je demande un remboursement',
      fr2: 'Mes réservations pour le « Château d’Œuf » ont été annulées',
      fr3: 'La facture n°20231187 contient une erreur',
    },
    [
      ['ordinateur', 'fr1', 'an apostrophe before the word'],
      ['l’ordinateur', 'fr1', 'the word with its article'],
      ['ecran', 'fr1', 'without the accent'],
      ['remboursements', 'fr1', 'plural and singular'],
      ['rembousrement', 'fr1', 'two neighbouring letters are swapped'],
      ['chateau', 'fr2', 'the word in quotation marks, without the accent'],
      ['oeuf', 'fr2', 'œ is oe'],
      ['réservation', 'fr2', 'singular and plural'],
      ['20231187', 'fr3', 'a number after a sign'],
      ['facture écran', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'es',
    {
      es1: '¿Cuándo llegará mi envío? Pedí dos camisas pequeñas',
      es2: 'Quiero hacer una devolución: la lámpara llegó rota',
    },
    [
      ['cuando', 'es1', 'a question mark before the word, and no accent'],
      ['envio', 'es1', 'without the accent'],
      ['camisa', 'es1', 'singular and plural'],
      ['pequenas', 'es1', 'ñ is n'],
      ['devoluciones', 'es2', 'plural and singular'],
      ['lampara rota', 'es2', 'two words of one message'],
      ['devloución', 'es2', 'two letters are swapped'],
      ['camisa rota', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'pt',
    {
      pt1: 'A encomenda não chegou à morada; preciso das informações do transporte',
      pt2: 'O cartão foi cobrado duas vezes no sábado',
    },
    [
      ['nao chegou', 'pt1', 'without the tilde'],
      ['informação', 'pt1', 'singular and plural'],
      ['encom', 'pt1', 'a prefix'],
      ['encomneda', 'pt1', 'two neighbouring letters are swapped'],
      ['cartao', 'pt2', 'without the tilde'],
      ['encomendas', 'pt1', 'plural and singular'],
      ['"duas vezes"', 'pt2', 'a phrase'],
    ],
  ),
  group(
    'it',
    {
      it1: 'Vorrei restituire le scarpe perché sono troppo strette',
      it2: 'L’aspirapolvere non funziona più, aspetto la sostituzione',
    },
    [
      ['scarpa', 'it1', 'singular and plural'],
      ['perche', 'it1', 'without the accent'],
      ['restituier', 'it1', 'two neighbouring letters are swapped'],
      ['aspirapolvere', 'it2', 'an apostrophe before the word'],
      ['sostituzioni', 'it2', 'plural and singular'],
      ['aspira', 'it2', 'a prefix'],
      ['scarpe aspirapolvere', '', 'the words are in different tickets'],
    ],
  ),
  group(
    'ro',
    {
      ro1: 'Vreau să returnez căștile, sunetul este foarte slab',
      ro2: 'Comanda a fost livrată la altă adresă din Brașov',
    },
    [
      ['castile', 'ro1', 'without the breve and the comma'],
      ['căştile', 'ro1', 'a cedilla instead of the comma'],
      ['returnez', 'ro1', 'the exact word'],
      ['brasov', 'ro2', 'without the comma'],
      ['adresa', 'ro2', 'without the breve'],
      ['livrtaă', 'ro2', 'two neighbouring letters are swapped'],
    ],
  ),
]
