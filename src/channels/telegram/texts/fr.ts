import type { TelegramTexts } from './shape.ts'

export const frTelegram: TelegramTexts = {
  greeting: 'Bonjour ! Écrivez-nous ici, nous vous répondrons dès que possible.',
  away: 'Merci pour votre message. Notre bureau est actuellement fermé. Nous vous répondrons dès notre retour.',
  closed:
    "Nous avons clôturé votre demande {{ticket.short_id}}. Écrivez-nous de nouveau si vous avez besoin d'autre chose.",
  rate: 'Êtes-vous satisfait de notre aide ?',
  thanks_for_rating: 'Merci pour votre évaluation.',
  share_phone: 'Partager mon numéro de téléphone',
  thanks_for_phone: 'Merci, nous avons votre numéro de téléphone.',
  new_ticket: 'Votre prochain message ouvrira une nouvelle conversation.',
  ask_continue:
    'Voulez-vous continuer ici une conversation du site web ? Appuyez sur le bouton uniquement si vous avez ouvert ce lien vous-même sur le site.',
  continue_ticket: 'Continuer la conversation',
  continues: 'Votre prochain message continue la conversation.',
  no_groups: "Je ne peux pas aider dans les groupes. Écrivez-moi directement, s'il vous plaît.",
  file_on_server:
    'Le serveur de ce bot fonctionne avec --local et garde le fichier sur son propre disque : il ne peut donc pas être affiché ici.',
  command_new: 'Commencer une nouvelle conversation',
  command_start: 'Nous écrire',
}
