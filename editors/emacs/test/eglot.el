;;; eglot.el --- A session in a real Emacs with eglot  -*- lexical-binding: t -*-

;;; Commentary:

;; run.sh starts it.  It opens an overlay with a typo in the target of a patch, waits for the diagnostic, hovers, and types
;; the fix.

;;; Code:

(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)
(require 'eglot)
(require 'flymake)
(load (expand-file-name "../kls.el" (file-name-directory load-file-name)) nil t)

(defun session-diagnostics ()
  "What flymake shows."
  (flymake-start)
  (mapconcat (lambda (d) (format "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
             (flymake-diagnostics) "\n"))

(defun session-eglot ()
  "The session."
  (setq eglot-sync-connect t eglot-autoshutdown nil eglot-connect-timeout 60)
  (session-open)
  (session-check (kls-tree-p buffer-file-name) "the tree is known for what it is")
  (apply #'eglot (eglot--guess-contact))
  (session-check (and (eglot-current-server) (eglot-managed-p)) "attach")
  (session-check (session-wait (lambda () (string-match-p "8: .*no Deployment is named \"wbe\"" (session-diagnostics)))) "diagnostics")
  (session-show (session-diagnostics))
  (session-place "wbe")
  (delete-char 3)
  (insert "web")
  (eglot--signal-textDocument/didChange)
  (session-check (session-wait (lambda () (not (string-match-p "wbe" (session-diagnostics))))) "and it goes when the name is mended")
  (session-place "web")
  (let* ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)))
         (value (plist-get (plist-get hover :contents) :value)))
    (session-check (and value (string-match-p "replicas: 3" value)) "hover")
    (session-show (or value "")))
  (let* ((found (jsonrpc-request (eglot-current-server) :textDocument/definition (eglot--TextDocumentPositionParams)))
         (place (format "%S" found)))
    (session-check (string-match-p "base/deploy.yaml" place) "definition"))
  (session-preview))

(session-play "eglot" #'session-eglot)
(when (eglot-current-server) (ignore-errors (eglot-shutdown (eglot-current-server))))
(session-end)
;;; eglot.el ends here
