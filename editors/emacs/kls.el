;;; kls.el --- Kustomize: mistakes, previews and explanations while you type -*- lexical-binding: t -*-

;; Author: the kls authors
;; Version: 0.1
;; Package-Requires: ((emacs "26.3"))
;; Keywords: languages, tools
;; URL: https://github.com/kustomize-lsp/kls

;;; Commentary:

;; Tells eglot, or lsp-mode where that is used, of the language server kls:
;;
;;   (require 'kls)
;;   (add-hook 'yaml-mode-hook #'kls-maybe)
;;
;; `kls-maybe' starts the server in trees that have a kustomization and nowhere else.  Then eglot and lsp-mode show what
;; they always show, and there are three commands besides: `kls-preview', `kls-preview-diff' and `kls-explain'.

;;; Code:

(defgroup kls nil "Kustomize." :group 'languages)

(defcustom kls-command '("kls" "lsp")
  "The program and its arguments."
  :type '(repeat string))

(defcustom kls-settings nil
  "Settings of the server as a property list, for instance (:schema \"off\").
docs/editors.md lists them."
  :type '(plist))

(defvar eglot-server-programs)
(declare-function eglot-ensure "eglot")
(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentPositionParams "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp "lsp-mode")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")
(declare-function lsp--text-document-position-params "lsp-mode")

(defconst kls--names '("kustomization.yaml" "kustomization.yml" "Kustomization"))

(defun kls-tree-p (file)
  "Tell whether FILE lies below a folder with a kustomization."
  (and file
       (locate-dominating-file
        file (lambda (dir) (seq-some (lambda (name) (file-exists-p (expand-file-name name dir))) kls--names)))))

;;;###autoload
(defun kls-maybe ()
  "Start kls for this buffer where the file belongs to a kustomize tree."
  (when (kls-tree-p buffer-file-name)
    (if (and (featurep 'lsp-mode) (not (featurep 'eglot))) (lsp) (eglot-ensure))))

(defun kls--options ()
  "What the server is told at the start."
  (list :settings (list :kls (or kls-settings (make-hash-table)))))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((yaml-mode yaml-ts-mode) . (,@kls-command :initializationOptions ,(kls--options)))))

(with-eval-after-load 'lsp-mode
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () kls-command))
                    :activation-fn (lambda (file _mode) (kls-tree-p file))
                    :initialization-options #'kls--options
                    :add-on? t              ; beside yaml-language-server
                    :server-id 'kls)))

(defun kls--execute (command argument)
  "Have the server run COMMAND with ARGUMENT, and return the result."
  (let ((params (list :command command :arguments (vector argument))))
    (cond ((and (fboundp 'eglot-current-server) (eglot-current-server))
           (jsonrpc-request (eglot-current-server) :workspace/executeCommand params))
          ((bound-and-true-p lsp-mode)
           (lsp-request "workspace/executeCommand" params))
          (t (user-error "The language server kls does not run for this buffer")))))

(defun kls--get (result key)
  "The value of KEY, a keyword, in RESULT, a property list or a hash table."
  (if (hash-table-p result) (gethash (substring (symbol-name key) 1) result) (plist-get result key)))

(defun kls--uri ()
  "The URI of this buffer's file."
  (concat "file://" (url-hexify-string (file-truename buffer-file-name) (cons ?/ url-unreserved-chars))))

(defun kls--show (name text mode)
  "Show TEXT in a buffer called NAME in MODE."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (goto-char (point-min)))
    (funcall mode)
    (setq buffer-read-only t)
    (display-buffer (current-buffer))))

;;;###autoload
(defun kls-preview ()
  "Show what the kustomization of this buffer renders."
  (interactive)
  (let ((result (kls--execute "kls.preview" (list :uri (kls--uri)))))
    (kls--show "*kls preview*" (kls--get result :text) (if (fboundp 'yaml-mode) #'yaml-mode #'text-mode))))

;;;###autoload
(defun kls-preview-diff (against)
  "Show what the kustomization of this buffer changes AGAINST its base, or HEAD."
  (interactive (list (completing-read "Against: " '("base" "head") nil t nil nil "base")))
  (let ((result (kls--execute "kls.previewDiff" (list :uri (kls--uri) :against against))))
    (kls--show "*kls diff*" (kls--get (kls--get result :diff) :text) #'diff-mode)))

;;;###autoload
(defun kls-explain ()
  "Tell where the value at point comes from."
  (interactive)
  (let* ((line (1- (line-number-at-pos nil t)))
         (column (length (encode-coding-string (buffer-substring (line-beginning-position) (point)) 'utf-16le)))
         (result (kls--execute "kls.explain"
                               (list :uri (kls--uri) :position (list :line line :character (/ column 2))))))
    (if result (kls--show "*kls explain*" (kls--get result :text) #'text-mode)
      (message "Nothing is known of this place"))))

(provide 'kls)
;;; kls.el ends here
