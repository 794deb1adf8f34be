import { group } from './shape.ts'

export const asian = [
  group(
    'ar',
    {
      ar1: 'أُريد استرجاع المبلغ، لم يصل الطلب رقم ٥٥١٢٣ بعد',
      ar2: 'الشاحنة مكسورة منذ الأمس',
    },
    [
      ['اريد', 'ar1', 'without hamza and vowel points'],
      ['المبلغ', 'ar1', 'an Arabic comma touches the word'],
      ['55123', 'ar1', 'Arabic digits'],
      ['٥٥١٢٣', 'ar1', 'the same digits'],
      ['مكسوره', 'ar2', 'ه for ة'],
      ['الامس', 'ar2', 'without hamza'],
      ['استرجاع مكسورة', '', 'the words stand in different tickets'],
    ],
  ),
  group(
    'he',
    {
      he1: 'שלום, ההזמנה שלי לא הגיעה ואני מבקש זיכוי',
      he2: 'חשבונית מס״ד 8812 שגויה',
    },
    [
      ['זיכוי', 'he1', 'the word as it is'],
      ['שָׁלוֹם', 'he1', 'with vowel points'],
      ['\u200fההזמנה', 'he1', 'with a mark of direction'],
      ['ההזמ', 'he1', 'a beginning'],
      ['8812', 'he2', 'a number'],
      ['חשבנוית', 'he2', 'two neighbours are swapped'],
    ],
  ),
  group(
    'fa',
    {
      fa1: 'سفارش من هنوز نرسیده است، می‌خواهم پول را پس بگیرم',
      fa2: 'کتاب‌ها پاره بودند',
    },
    [
      ['نرسيده', 'fa1', 'the Arabic letter ي for the Persian ی'],
      ['می خواهم', 'fa1', 'a blank in place of the joiner'],
      ['سفارش', 'fa1', 'the word as it is'],
      ['كتاب', 'fa2', 'the Arabic letter ك for the Persian ک'],
      ['پاره سفارش', '', 'the words stand in different tickets'],
    ],
  ),
  group(
    'hi',
    {
      hi1: 'मुझे पैसे वापस चाहिए, ज़रूरत का सामान टूटा मिला',
      hi2: 'ऑर्डर संख्या ४५९१ कब आएगी?',
    },
    [
      ['जरूरत', 'hi1', 'the nukta is left out'],
      ['पैसे वापस', 'hi1', 'two words of one message'],
      ['सामा', 'hi1', 'a beginning'],
      ['4591', 'hi2', 'Devanagari digits'],
      ['संख्या पैसे', '', 'the words stand in different tickets'],
    ],
  ),
  group(
    'vi',
    {
      vi1: 'Đơn hàng của tôi bị hỏng, tôi muốn hoàn tiền',
      vi2: 'Nhân viên giao hàng đến muộn ở Đà Nẵng',
    },
    [
      ['don hang', 'vi1', 'without the marks; đ is d'],
      ['hoàn tiền', 'vi1', 'the words as they are'],
      ['hoan tien', 'vi1', 'without the marks'],
      ['da nang', 'vi2', 'without the marks'],
      ['"giao hàng"', 'vi2', 'a phrase'],
      ['hỏng nhân', '', 'the words stand in different tickets'],
      ['hong muon', 'vi1', 'without the marks, muốn and muộn are the same'],
    ],
  ),
  group(
    'th',
    {
      th1: 'ฉันต้องการคืนเงินค่าสินค้า',
      th2: 'พัสดุยังไม่ถึงบ้านเลย เลขที่ ๑๒๓๔๕๖',
    },
    [
      ['คืนเงิน', 'th1', 'a word inside a sentence'],
      ['สินค้า', 'th1', 'the last word of a sentence'],
      ['ต้องการคืนเงิน', 'th1', 'several words of a sentence'],
      ['พัสดุ', 'th2', 'the first word of a sentence'],
      ['เลย เลขที่ ๑๒๓๔๕๖', 'th2', 'a part of the sentence with its blanks and digits'],
      ['"บ้านเลย เลขที่"', 'th2', 'a phrase with a blank inside'],
      ['123456', 'th2', 'Thai digits'],
      ['คืนพัสดุ', '', 'characters that do not stand together'],
    ],
  ),
  group(
    'zh',
    {
      zh1: '我的订单没有收到，请退款',
      zh2: '这个手机壳（iPhone15）颜色不对',
      zh3: '请问什么时候发货？订货号ＡＢ７７８',
    },
    [
      ['订单', 'zh1', 'a word inside a sentence'],
      ['退款', 'zh1', 'the last word of a sentence'],
      ['没有收到', 'zh1', 'two words of a sentence'],
      ['壳', 'zh2', 'a single character, the last one before a sign'],
      ['iphone15', 'zh2', 'Latin letters in brackets'],
      ['iphone', 'zh2', 'its letters alone'],
      ['订货', 'zh3', 'a word that shares a character with another'],
      ['ab778', 'zh3', 'full width'],
      ['订', 'zh1 zh3', 'a single character'],
      ['单订', '', 'characters in another order'],
      ['手机 颜色', 'zh2', 'two words with a blank between them'],
      ['没有收到，请退款', 'zh1', 'a part of the sentence with its comma'],
      ['手机壳（iPhone15）颜色', 'zh2', 'a part of the sentence with its brackets'],
      ['订货号AB778', 'zh3', 'characters and letters without a blank'],
      ['发货？订货', 'zh3', 'the end of one sentence and the beginning of the next'],
      ['发货！请问', '', 'the sentences stand in another order'],
    ],
  ),
  group(
    'ja',
    {
      ja1: '注文した商品がまだ届いていません。キャンセルできますか？',
      ja2: 'ﾌﾟﾘﾝﾀが動かない。返金してください',
    },
    [
      ['商品', 'ja1', 'a word inside a sentence'],
      ['届いて', 'ja1', 'a word and its ending'],
      ['キャンセル', 'ja1', 'a word in Katakana'],
      ['ｷｬﾝｾﾙ', 'ja1', 'half width'],
      ['プリンタ', 'ja2', 'full width for half width'],
      ['返金', 'ja2', 'a word beside a full stop'],
      ['届いていません。キャンセル', 'ja1', 'two sentences with the full stop between them'],
      ['商品返金', '', 'words of different sentences'],
    ],
  ),
  group(
    'ko',
    {
      ko1: '주문을 취소하고 환불을 받고 싶습니다',
      ko2: '배송이 늦어서 상담원과 통화하고 싶어요',
    },
    [
      ['주문', 'ko1', 'a word with a particle'],
      ['환불', 'ko1', 'a word with a particle'],
      ['취소 환불', 'ko1', 'two words of one message'],
      ['상담원', 'ko2', 'a word with a particle'],
      ['"취소하고 환불"', 'ko1', 'a phrase with a blank inside'],
      ['"환불 취소하고"', '', 'a phrase in another order'],
      ['주문'.normalize('NFD'), 'ko1', 'letters apart, as a Mac writes them'],
      ['취소 배송', '', 'the words stand in different tickets'],
    ],
  ),
]
