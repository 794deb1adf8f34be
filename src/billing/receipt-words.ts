/** The words of receipts, by language. A language that is missing has them in English. */

const keys = [
  ...([
    'receipt',
    'invoice',
    'refund',
    'issued',
    'to',
    'taxNumber',
    'what',
    'topUp',
    'plan',
    'paidBack',
  ] as const),
  ...(['reference', 'date', 'paid', 'fromBalance', 'net', 'total'] as const),
]
export type ReceiptWords = Record<(typeof keys)[number], string>

// biome-ignore format: one language a line, so that they can be compared
const rows: Record<string, string[]> = {
  en: ['Receipt', 'Invoice', 'Refund', 'Issued on', 'To', 'Tax number', 'For', 'Top-up of the balance', 'Plan', 'Paid back', 'Reference', 'Date', 'Paid', 'from the balance', 'Net', 'Total'],
  de: ['Quittung', 'Rechnung', 'Erstattung', 'Ausgestellt am', 'An', 'Steuernummer', 'Für', 'Aufladung des Guthabens', 'Tarif', 'Rückzahlung', 'Referenz', 'Datum', 'Bezahlt', 'aus dem Guthaben', 'Netto', 'Gesamt'],
  fr: ['Reçu', 'Facture', 'Remboursement', 'Émis le', 'À', 'Numéro fiscal', 'Objet', 'Recharge du solde', 'Formule', 'Remboursé', 'Référence', 'Date', 'Payé', 'par le solde', 'Hors taxes', 'Total'],
  es: ['Recibo', 'Factura', 'Reembolso', 'Emitido el', 'A', 'Número fiscal', 'Concepto', 'Recarga del saldo', 'Plan', 'Reembolsado', 'Referencia', 'Fecha', 'Pagado', 'con el saldo', 'Neto', 'Total'],
  it: ['Ricevuta', 'Fattura', 'Rimborso', 'Emesso il', 'A', 'Codice fiscale', 'Oggetto', 'Ricarica del saldo', 'Piano', 'Rimborsato', 'Riferimento', 'Data', 'Pagato', 'dal saldo', 'Imponibile', 'Totale'],
  pt: ['Recibo', 'Fatura', 'Reembolso', 'Emitido em', 'Para', 'Número fiscal', 'Descrição', 'Recarga do saldo', 'Plano', 'Reembolsado', 'Referência', 'Data', 'Pago', 'com o saldo', 'Líquido', 'Total'],
  nl: ['Kwitantie', 'Factuur', 'Terugbetaling', 'Uitgegeven op', 'Aan', 'Btw-nummer', 'Voor', 'Opwaardering van het saldo', 'Abonnement', 'Terugbetaald', 'Kenmerk', 'Datum', 'Betaald', 'uit het saldo', 'Netto', 'Totaal'],
  pl: ['Pokwitowanie', 'Faktura', 'Zwrot', 'Wystawiono', 'Dla', 'Numer podatkowy', 'Za', 'Doładowanie salda', 'Plan', 'Zwrócono', 'Numer referencyjny', 'Data', 'Zapłacono', 'z salda', 'Netto', 'Razem'],
  cs: ['Účtenka', 'Faktura', 'Vrácení peněz', 'Vystaveno', 'Pro', 'Daňové číslo', 'Za', 'Dobití zůstatku', 'Tarif', 'Vráceno', 'Reference', 'Datum', 'Zaplaceno', 'ze zůstatku', 'Bez daně', 'Celkem'],
  tr: ['Makbuz', 'Fatura', 'İade', 'Düzenleme tarihi', 'Alıcı', 'Vergi numarası', 'Açıklama', 'Bakiye yükleme', 'Plan', 'İade edildi', 'Referans', 'Tarih', 'Ödeme', 'bakiyeden', 'Net', 'Toplam'],
  ru: ['Квитанция', 'Счёт', 'Возврат', 'Дата выдачи', 'Кому', 'Налоговый номер', 'За что', 'Пополнение баланса', 'Тариф', 'Возвращено', 'Номер', 'Дата', 'Оплачено', 'с баланса', 'Без налога', 'Итого'],
  uk: ['Квитанція', 'Рахунок', 'Повернення', 'Дата видачі', 'Кому', 'Податковий номер', 'За що', 'Поповнення балансу', 'Тариф', 'Повернено', 'Номер', 'Дата', 'Сплачено', 'з балансу', 'Без податку', 'Разом'],
  zh: ['收据', '发票', '退款', '开具日期', '致', '税号', '项目', '余额充值', '套餐', '已退款', '编号', '日期', '付款方式', '余额', '不含税金额', '合计'],
  ja: ['領収書', '請求書', '返金', '発行日', '宛先', '登録番号', '内容', '残高のチャージ', 'プラン', '返金済み', '参照番号', '日付', 'お支払い', '残高から', '税抜金額', '合計'],
  ar: ['إيصال', 'فاتورة', 'استرداد', 'تاريخ الإصدار', 'إلى', 'الرقم الضريبي', 'البيان', 'شحن الرصيد', 'الباقة', 'مبلغ مسترد', 'المرجع', 'التاريخ', 'الدفع', 'من الرصيد', 'الصافي', 'الإجمالي'],
  he: ['קבלה', 'חשבונית', 'החזר', 'תאריך הנפקה', 'לכבוד', 'מספר עוסק', 'עבור', 'טעינת היתרה', 'תוכנית', 'הוחזר', 'אסמכתה', 'תאריך', 'תשלום', 'מהיתרה', 'לפני מס', 'סה"כ'],
  fa: ['رسید', 'فاکتور', 'بازپرداخت', 'تاریخ صدور', 'به', 'شماره مالیاتی', 'بابت', 'شارژ موجودی', 'طرح', 'بازگردانده شد', 'شماره پیگیری', 'تاریخ', 'پرداخت', 'از موجودی', 'خالص', 'جمع کل'],
}

export const receiptLanguages = Object.keys(rows)

const languageOf = (locale: string): string => locale.split('-')[0]!

export function wordsOf(locale: string): ReceiptWords {
  const row = rows[languageOf(locale)] ?? rows.en!
  return Object.fromEntries(keys.map((key, at) => [key, row[at]!])) as ReceiptWords
}

/** Whether the page is read from the right: one in English words is not, whatever the project's language. */
export const isRtl = (locale: string): boolean => ['ar', 'he', 'fa'].includes(languageOf(locale))
