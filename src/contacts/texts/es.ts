import type { IdentityMailTexts } from './shape.ts'

export const esIdentityMails: IdentityMailTexts = {
  code: {
    subject: 'Su código: {code}',
    title: 'Confirme su dirección de correo',
    paragraphs: [
      '{project} quiere comprobar que esta dirección de correo es suya. Su código es {code}. Dígaselo a la persona con la que está en contacto.',
    ],
    small:
      'El código es válido durante una hora. Si no está en contacto con {project}, puede ignorar este correo.',
  },
}
