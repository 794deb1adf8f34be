import type { TelegramTexts } from './shape.ts'

export const csTelegram: TelegramTexts = {
  greeting: 'Dobrý den! Napište nám sem, odpovíme co nejdříve.',
  away: 'Děkujeme za zprávu. Naše kancelář je nyní zavřená. Odpovíme, jakmile se vrátíme.',
  closed:
    'Váš požadavek {{ticket.short_id}} jsme uzavřeli. Napište znovu, pokud budete ještě něco potřebovat.',
  rate: 'Jak jste spokojeni s naší pomocí?',
  thanks_for_rating: 'Děkujeme za hodnocení.',
  share_phone: 'Sdílet mé telefonní číslo',
  thanks_for_phone: 'Děkujeme, máme vaše telefonní číslo.',
  new_ticket: 'Vaší další zprávou začne nová konverzace.',
  ask_continue:
    'Chcete zde pokračovat v konverzaci z webu? Stiskněte tlačítko, jen pokud jste tento odkaz na webu otevřeli sami.',
  continue_ticket: 'Pokračovat v konverzaci',
  continues: 'Vaše příští zpráva pokračuje v konverzaci.',
  no_groups: 'Ve skupinách nemohu pomáhat. Napište mi prosím přímo.',
  file_on_server:
    'Server tohoto bota běží s volbou --local a soubor má na vlastním disku, proto ho zde nelze zobrazit.',
  command_new: 'Začít novou konverzaci',
  command_start: 'Napsat nám',
}
